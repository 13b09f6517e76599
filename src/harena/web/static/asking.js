// How pages talk with the server: JSON in and out, mistakes in words, and streams of events that come back by themselves.

export class Mistake extends Error {}

export async function ask(path, body = undefined, method = body === undefined ? 'GET' : 'POST', signal = undefined) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Mistake('the server does not answer: is it still running?');
  }
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Mistake(told.detail ?? `the server answered ${response.status}`);
  return told;
}

// The position of { game, text, moves } or of a start { game, size, setup, start }, as web/seeing.py writes it.
export async function askPosition(asked) {
  const { state, mistake } = await ask('/api/position', asked);
  if (mistake) throw new Mistake(mistake);
  return state;
}

// Listen to events by their kind; returns a function that ends it.
export function listen(path, handlers) {
  const source = new EventSource(path);
  for (const [kind, handle] of Object.entries(handlers)) {
    source.addEventListener(kind, event => handle(JSON.parse(event.data || '{}')));
  }
  return () => source.close();
}

// Say something to those who listen rather than look.
export function announce(words) {
  const place = document.getElementById('announce');
  if (place) place.textContent = words;
}

export const byId = name => document.getElementById(name);

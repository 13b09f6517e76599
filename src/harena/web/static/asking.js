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

const WAITS = [1, 2, 4, 8, 15]; // seconds before each further try where the browser has given up
const NOTICE = 600, THANKS = 4000; // milliseconds until a loss is told, and that the news of its end stays
const FINAL = [401, 403, 404, 410, 422]; // answers that another try does not change

// Listen to events by their kind; returns a function that ends it. Beside those that the server sends there are `open`
// (at every connection), `back` (after a loss or a rest) and `gone` (with words: there is nothing to listen to any more).
// After a broken line browsers come back by themselves; any other answer than 200 ends the stream for good, so we ask
// what is the matter and open another one. A page that nobody sees has no stream: browsers open about six connections to
// a server at once, and six pages in the background would block every other one.
export function listen(path, handlers) {
  const address = new URL(path, location.href), { open, back, gone, ...kinds } = handlers;
  let source = null, timer = null, tries = 0, away = false;
  const close = () => { clearTimeout(timer); source?.close(); source = null; };
  const end = () => { close(); document.removeEventListener('visibilitychange', turn); losses(end, false); };
  const opened = () => {
    const again = away;
    [tries, away] = [0, false];
    losses(end, false);
    open?.();
    if (again) back?.();
  };
  const failed = async ({ target }) => {
    if (target !== source) return; // it was closed meanwhile
    away = true;
    losses(end, true);
    if (target.readyState !== EventSource.CLOSED) return; // the browser tries again
    const words = await refusal(address);
    if (target !== source) return;
    if (words !== null) { end(); gone?.(words); }
    else timer = setTimeout(connect, 1000 * WAITS[Math.min(tries++, WAITS.length - 1)]);
  };
  const connect = () => {
    source = new EventSource(address);
    source.addEventListener('open', opened);
    source.addEventListener('error', failed);
    for (const [kind, handle] of Object.entries(kinds)) {
      source.addEventListener(kind, event => {
        if (event.lastEventId) address.searchParams.set('after', event.lastEventId);
        handle(JSON.parse(event.data || '{}'));
      });
    }
  };
  const turn = () => {
    if (!document.hidden) { if (!source) connect(); return; }
    away = true;
    close();
  };
  document.addEventListener('visibilitychange', turn);
  turn();
  return end;
}

// Why there is nothing to listen to, in words; null where that may change.
async function refusal(address) {
  const stop = new AbortController();
  try {
    const response = await fetch(address, { headers: { accept: 'application/json' }, signal: stop.signal });
    if (!FINAL.includes(response.status)) return null;
    return (await response.json().catch(() => ({}))).detail ?? `the server answered ${response.status}`;
  } catch {
    return null;
  } finally {
    stop.abort(); // a stream that is there after all
  }
}

const broken = new Set(); // the streams that are lost now
let telling = null;

function losses(stream, lost) {
  const before = broken.size;
  if (lost) broken.add(stream);
  else broken.delete(stream);
  const place = byId('connection');
  if (!place || Boolean(before) === Boolean(broken.size)) return;
  clearTimeout(telling);
  const say = (words, name) => { Object.assign(place, { textContent: words, className: `connection ${name}` }); };
  if (broken.size) telling = setTimeout(() => say('The server does not answer. This page goes on as soon as it does.', 'lost'), NOTICE);
  else if (place.textContent) {
    say('The server is back.', 'back');
    telling = setTimeout(() => say('', ''), THANKS);
  }
}

// Say something to those who listen rather than look.
export function announce(words) {
  const place = document.getElementById('announce');
  if (place) place.textContent = words;
}

/** @type {(name: string) => any} An element of the page; its template says of which kind. */
export const byId = name => document.getElementById(name);

// A contest that is followed: the server says that something has changed, and sends the part of the page that shows it.
import { announce, ask, byId, listen } from './asking.js';
import { Board } from './board.js';
import { element } from './dom.js';

const live = byId('live');
const drawn = new Map(); // boards by place and picture: those that are there already are not drawn again
const BUSY = [429, 503], WAIT = 5; // answers after which we ask again, and after how many seconds if nobody says
let fetching = false, again = false, timer = null;

// Two games may end in the same position: each place has a board of its own.
function drawBoards() {
  const here = new Map();
  for (const place of live.querySelectorAll('[data-picture]')) {
    const { picture } = place.dataset, twins = [...here.keys()].filter(key => key.endsWith(picture)).length, key = `${twins} ${picture}`;
    const svg = drawn.get(key) ?? drawBoard(place, picture);
    here.set(key, svg);
    place.replaceChildren(svg);
  }
  drawn.clear();
  for (const [key, svg] of here) drawn.set(key, svg);
}

function drawBoard(place, picture) {
  const board = new Board(place);
  board.show(JSON.parse(picture));
  board.svg.removeAttribute('tabindex'); // the link around it has the focus and the name
  board.svg.setAttribute('aria-hidden', 'true');
  return board.svg;
}

function showButtons() {
  const { status, resumable } = byId('part').dataset;
  if (byId('stop')) byId('stop').hidden = status !== 'running';
  if (byId('resume')) byId('resume').hidden = !resumable;
  if (byId('watch')) byId('watch').hidden = status !== 'running';
}

// What is drawn anew keeps the focus where it was.
function keepFocus(change) {
  const focused = live.contains(document.activeElement) ? document.activeElement : null;
  const same = focused?.getAttribute('href') ? `a[href="${CSS.escape(focused.getAttribute('href'))}"]` : focused?.matches('.wide') ? `[aria-label="${focused.getAttribute('aria-label')}"]` : null;
  change();
  if (same) live.querySelector(same)?.focus({ preventScroll: true });
}

// What is scrolled sideways stays as it is.
function replacePart(html) {
  const scrolled = [...live.querySelectorAll('.wide')].map(one => [one.getAttribute('aria-label'), one.scrollLeft]);
  keepFocus(() => { live.innerHTML = html; });
  for (const [name, left] of scrolled) {
    const place = live.querySelector(`.wide[aria-label="${name}"]`);
    if (place) place.scrollLeft = left;
  }
  drawBoards();
  showButtons();
}

const player = (name, seat) => element('span', { class: `player seat-${seat + 1}` },
  element('span', { class: 'badge', 'aria-hidden': 'true' }, String(seat + 1)), element('span', { class: 'who' }, name));

// The games in progress: their boards come with the event itself.
function showPlaying(boards) {
  const place = byId('now');
  if (!place) return;
  place.hidden = !boards.length;
  if (boards.length) live.querySelector('.waiting')?.remove();
  const items = boards.map(({ slot, seats, picture }) => element('li', {},
    element('a', { href: `/watch/run/${live.dataset.run}#slot=${slot}`, 'aria-label': `watch ${seats.join(' against ')}` },
      element('span', { class: 'small', 'data-picture': JSON.stringify(picture) }), element('span', { class: 'by' }, ...seats.map(player)))));
  keepFocus(() => place.querySelector('ul').replaceChildren(...items));
  drawBoards();
}

// Many pages hear of a change at the same moment, often from one address: each asks at a moment of its own.
function refreshLater(seconds) {
  timer ??= setTimeout(() => { timer = null; refresh(); }, 1000 * seconds);
}

async function refresh() {
  if (fetching) { again = true; return; }
  fetching = true;
  const before = byId('part').dataset.status;
  try {
    const response = await fetch(live.dataset.part, { headers: { accept: 'text/html' } });
    if (response.ok) replacePart(await response.text());
    else if (BUSY.includes(response.status)) refreshLater((Number(response.headers.get('retry-after')) || WAIT) * (1 + Math.random()));
  } catch {
    // the stream tells when the server is back
  }
  fetching = false;
  const { status, played } = byId('part').dataset;
  if (status !== before) announce(`${status} after ${played} games`);
  if (again) { again = false; refresh(); }
}

async function act(button, path, body) {
  byId('mistake').textContent = '';
  button.disabled = true;
  try {
    await ask(`/api/contests/${live.dataset.run}/${path}`, body);
    await refresh();
  } catch (mistake) {
    byId('mistake').textContent = mistake.message;
  }
  button.disabled = false;
}

byId('stop')?.addEventListener('click', event => act(event.currentTarget, 'stop', {}));
byId('resume')?.addEventListener('click', event => act(event.currentTarget, 'resume', {}));
drawBoards();
showButtons();
listen(`${live.dataset.events}?after=${byId('part').dataset.last}`, {
  changed: told => refreshLater(told.within * Math.random()), playing: showPlaying, reset: refresh, back: refresh,
  gone: words => { byId('mistake').textContent = words; },
});

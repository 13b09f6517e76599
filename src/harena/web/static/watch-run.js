// The games of a run that another process plays: those in progress ply by ply as they come, and those that have ended,
// move by move. How a game ended is told when its last ply has been shown.

import { Mistake, announce, ask, byId, listen } from './asking.js';
import { element } from './dom.js';
import { Viewer } from './replay.js';
import { deed, latest } from './table.js';

const MOST = 100; // games in the list
const BETWEEN = 1000; // milliseconds that the end of a game stays
const run = JSON.parse(byId('run').textContent), path = `/api/watch/run/${run.id}`;
const playing = new Map(); // games in progress by their slots: the documents that grow
const asked = /^#slot=(.+)$/.exec(location.hash)?.[1]; // the game that the address names
const unseen = new Set(); // numbers of games that came while we were here, and were not shown to their ends
let viewer = null, chosen = '2';
let shown = null; // the number of a game that has ended, or the slot of one in progress

function present(key, game, { live = false, start = 0, moving = true } = {}) {
  if (viewer) { chosen = viewer.speed.value; viewer.close(); viewer = null; }
  shown = key;
  const made = new Viewer(byId('viewer'), game, { live, veiled: live || unseen.has(key), speed: chosen, words: { deed, latest }, onShow: seen, onEnd: next });
  viewer = made;
  if (start) viewer.show(start);
  if (moving) viewer.play();
  marks();
}

// The last ply of a game was shown: now its result may be told.
function seen() {
  if (viewer?.told && unseen.delete(shown)) marks();
}

function trouble(error) {
  if (!(error instanceof Mistake)) throw error;
  byId('error').textContent = error.message;
}

async function open(number) {
  byId('error').textContent = '';
  await ask(`/api/records/${number}`).then(game => present(number, game), trouble);
}

function watch(slot, moving = true) {
  const game = playing.get(slot);
  if (game) present(slot, game, { live: true, start: game.plies.length - 1, moving });
}

// When a game has been shown to its end, one in progress follows, or the newest that came meanwhile.
function next() {
  const [slot] = playing.keys(), newest = run.rows[0]?.id, ended = shown;
  if (!byId('follow').checked || (!slot && (!newest || newest === shown))) return;
  setTimeout(() => {
    if (shown !== ended || viewer.playing) return; // somebody has chosen meanwhile
    if (slot && playing.has(slot)) watch(slot);
    else if (run.rows[0]?.id !== shown) open(run.rows[0].id);
  }, BETWEEN);
}

const resultOf = row => unseen.has(row.id) ? 'has ended' : row.winner === null ? 'draw' : `${row.seats[row.winner]} won`;

const between = ({ seats }) => seats.join(' – ');

function line(row) {
  const button = element('button', { type: 'button', 'data-number': row.id },
    element('span', { class: 'pair' }, between(row)), element('span', { class: 'won' }), element('span', { class: 'soft' }, `game ${row.id}, ${row.plies} moves`));
  button.addEventListener('click', () => open(row.id));
  return element('li', {}, button);
}

function lineNow(slot) {
  const button = element('button', { type: 'button', 'data-slot': slot }, element('span', {}, element('span', { class: 'dot-live', 'aria-hidden': 'true' }), 'being played'),
    element('span', { class: 'pair' }, between(playing.get(slot))), element('span', { class: 'soft count-now' }));
  button.addEventListener('click', () => watch(slot));
  return element('li', {}, button);
}

function marks() {
  const rows = new Map(run.rows.map(row => [row.id, row]));
  for (const button of byId('list').querySelectorAll('button')) {
    const number = Number(button.dataset.number), row = rows.get(number);
    button.setAttribute('aria-pressed', String(number === shown));
    if (row) button.querySelector('.won').textContent = resultOf(row);
  }
  for (const button of byId('now').querySelectorAll('button')) {
    button.setAttribute('aria-pressed', String(button.dataset.slot === shown));
    button.querySelector('.count-now').textContent = `${(playing.get(button.dataset.slot)?.plies.length ?? 1) - 1} moves so far`;
  }
}

function looks() {
  const words = `${run.count} game${run.count === 1 ? '' : 's'}${run.agents.length ? `: ${run.agents.join(', ')}` : ''}`;
  byId('state').textContent = run.playing ? `Being played now. ${words}` : `Not being played now. ${words}`;
  const known = new Set([...byId('list').querySelectorAll('button')].map(one => Number(one.dataset.number)));
  for (const row of [...run.rows].reverse()) if (!known.has(row.id)) byId('list').prepend(line(row));
  while (byId('list').children.length > MOST) byId('list').lastChild.remove();
  const slots = [...byId('now').querySelectorAll('button')].map(one => one.dataset.slot);
  if (String(slots) !== String([...playing.keys()])) byId('now').replaceChildren(...[...playing.keys()].map(lineNow));
  byId('now').hidden = !playing.size;
  marks();
}

// The games in progress as they are: what is shown already grows, unless the same slot is played anew, as after a stall.
async function lookNow() {
  const now = run.playing ? await ask(`${path}/now`) : [], known = new Map(playing);
  if (typeof shown === 'string' && !known.has(shown)) known.set(shown, viewer.game); // it may be back
  playing.clear();
  for (const { slot, ...game } of now) {
    playing.set(slot, known.get(slot) ?? game);
    if (grow(slot, 0, game.plies)) continue;
    playing.set(slot, game);
    if (shown === slot) watch(slot, viewer.playing);
  }
  looks();
  if (!viewer && playing.size) watch(playing.has(asked) ? asked : [...playing.keys()][0]);
}

const isSame = (one, other) => one.move === other.move && one.position === other.position;

// Take in the plies of a game from number `after` on; false if some before them are missing, or others were played.
function grow(slot, after, plies) {
  const game = playing.get(slot);
  if (!game || after > game.plies.length || game.plies.slice(after).some((ply, index) => index < plies.length && !isSame(ply, plies[index]))) return false;
  for (const ply of plies.slice(game.plies.length - after)) {
    if (viewer?.game === game) viewer.append(ply);
    else game.plies.push(ply);
  }
  return true;
}

function take({ slot, after, plies }) {
  if (grow(slot, after, plies)) marks();
  else lookNow().catch(trouble); // something was missed
}

// The game that is shown is no longer in progress: it was stored, or it broke off.
async function settle() {
  const slot = shown;
  if (typeof slot !== 'string' || playing.has(slot)) return;
  const row = run.rows.find(one => one.slot === slot);
  if (!row && run.playing) return; // about to be stored
  const { plies, ...result } = row ? await ask(`/api/records/${row.id}`) : { plies: viewer.game.plies.slice(), end: 'It was not played to its end.', winner: null };
  if (shown !== slot) return;
  if (row) { unseen.add(row.id); shown = row.id; }
  viewer.replace(plies);
  viewer.finish(result);
  seen();
  marks();
}

let asking = null, again = false, timer = null;
// Many pages hear of a game at the same moment, often from one address: each asks at a moment of its own.
function catchUpLater({ within }) {
  timer ??= setTimeout(() => { timer = null; catchUp(); }, 1000 * within * Math.random());
}

async function update() {
  const now = await ask(path), known = new Set(run.rows.map(row => row.id));
  for (const row of now.rows) if (!known.has(row.id)) unseen.add(row.id);
  const fresh = now.rows.length && now.rows[0].id !== run.rows[0]?.id;
  Object.assign(run, now);
  await lookNow();
  await settle();
  if (fresh) announce(`${now.rows[0].seats.join(' against ')}: game ${now.rows[0].id} has ended`);
  if (fresh && now.newest && now.newest.number !== shown && (!viewer || (byId('follow').checked && viewer.ply === viewer.last && !viewer.playing && !viewer.live))) present(now.newest.number, now.newest);
}

function catchUp() {
  if (asking) { again = true; return; }
  asking = update().catch(trouble).finally(() => { asking = null; if (again) { again = false; catchUp(); } });
}

async function begin() {
  const ended = run.rows.find(one => one.slot === asked);
  for (const one of [run.newest?.number, ended?.id]) if (run.playing && one) unseen.add(one); // they are shown move by move
  if (ended) await open(ended.id);
  await lookNow().catch(trouble);
  if (!viewer && run.newest) present(run.newest.number, run.newest, { moving: run.playing });
  if (run.status === 'finished' && !run.playing) return; // any other run may go on
  listen(`${path}/events`, {
    open: catchUp, reset: catchUp, game: catchUpLater, over: catchUpLater, begun: catchUpLater, plies: take, now: () => catchUp(), gone: words => { byId('error').textContent = words; },
  });
}

looks();
begin();

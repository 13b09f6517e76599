// The games of a run that another process plays: each appears when it has ended, and the newest is shown move by move.

import { Mistake, announce, ask, byId, listen } from './asking.js';
import { element } from './moves.js';
import { Viewer } from './replay.js';

const MOST = 100; // games in the list
const run = JSON.parse(byId('run').textContent), path = `/api/watch/run/${run.id}`;
let viewer = null, shown = null, chosen = '2';

function present(game, playing) {
  if (viewer) { chosen = viewer.speed.value; viewer.close(); }
  shown = game.number;
  viewer = new Viewer(byId('viewer'), game, { playing, speed: chosen, onEnd: next });
  for (const button of byId('list').querySelectorAll('button')) button.setAttribute('aria-pressed', String(Number(button.dataset.number) === shown));
}

function trouble(error) {
  if (!(error instanceof Mistake)) throw error;
  byId('error').textContent = error.message;
}

async function open(number) {
  byId('error').textContent = '';
  await ask(`/api/records/${number}`).then(game => present(game, true), trouble);
}

// When a game has been shown to its end, the newest that came meanwhile follows.
function next() {
  if (byId('follow').checked && run.rows.length && run.rows[0].id !== shown) setTimeout(() => open(run.rows[0].id), 1000);
}

function line(row) {
  const result = row.winner === null ? 'draw' : `${row.seats[row.winner]} won`;
  const button = element('button', { type: 'button', 'data-number': row.id, 'aria-pressed': String(row.id === shown) },
    element('span', {}, `game ${row.id}`), element('span', { class: 'won' }, result), element('span', { class: 'soft' }, `${row.plies} plies`));
  button.addEventListener('click', () => open(row.id));
  return element('li', {}, button);
}

function looks() {
  const words = `${run.count} game${run.count === 1 ? '' : 's'}${run.agents.length ? `: ${run.agents.join(', ')}` : ''}`;
  byId('state').textContent = run.playing ? `Being played now. ${words}` : `Not being played now. ${words}`;
  const known = new Set([...byId('list').querySelectorAll('button')].map(one => Number(one.dataset.number)));
  for (const row of [...run.rows].reverse()) if (!known.has(row.id)) byId('list').prepend(line(row));
  while (byId('list').children.length > MOST) byId('list').lastChild.remove();
}

let asking = null, again = false;
function catchUp() {
  if (asking) { again = true; return; }
  asking = ask(path).then(now => {
    const fresh = now.rows.length && now.rows[0].id !== run.rows[0]?.id;
    Object.assign(run, now);
    looks();
    if (fresh) announce(`game ${now.rows[0].id} has ended`);
    if (fresh && now.newest && (!viewer || (byId('follow').checked && viewer.ply === viewer.last && !viewer.playing))) present(now.newest, true);
  }).catch(trouble).finally(() => { asking = null; if (again) { again = false; catchUp(); } });
}

looks();
if (run.newest) present(run.newest, run.playing);
if (run.playing) listen(`${path}/events`, { open: catchUp, reset: catchUp, game: catchUp, over: catchUp });

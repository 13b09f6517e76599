// A game as it is played: every ply is taken in at once, and shown when its time has come at the chosen speed. How it
// ended is told when its last ply has been shown, not before.

import { Mistake, announce, ask, byId, listen } from './asking.js';
import { element } from './dom.js';
import { Viewer } from './replay.js';
import { deed, latest } from './table.js';

const STARTING = 'The agents are being started; the first time this may take a while.';
const LOST = { status: 'over', end: 'The game broke off when the server was started again; it is not stored.' };
const game = JSON.parse(byId('game').textContent), path = `/api/watch/${game.id}`;
let viewer = null;

function words() {
  if (viewer.told) return game.end;
  if (game.status === 'over') return 'The game has ended; you have not seen all of it yet.';
  if (game.status === 'starting') return STARTING;
  const mover = viewer.ply === viewer.last ? /^player [12]/.exec(game.plies.at(-1).caption)?.[0] : null;
  return mover ? `Live: ${mover} is thinking` : 'Live';
}

function state() {
  if (!viewer) return; // it shows its first ply while it is being made
  const place = byId('state'), now = words();
  if (place.dataset.words === now) return;
  place.dataset.words = now;
  place.textContent = ` ${now}`;
  if (game.status !== 'over') place.prepend(element('span', { class: 'ring' }));
  if (viewer.told) announce(game.end);
  byId('error').textContent = viewer.told ? game.trouble ?? '' : '';
}

function looks() {
  state();
  const stop = byId('stop'), stored = byId('stored');
  if (stop) stop.hidden = game.status === 'over';
  stored.hidden = !game.number;
  if (game.number) stored.href = `/games/${game.number}`;
}

// A ply that is not the next one was missed, or is known already.
function take({ number, ply }) {
  if (number === game.plies.length) viewer.append(ply);
  else if (number > game.plies.length) catchUp();
  looks();
}

function over(result) {
  Object.assign(game, result);
  viewer.finish(result);
  looks();
}

let asking = null, again = false;
function catchUp() {
  if (asking) { again = true; return; } // what is on its way may be older than what is wanted
  asking = ask(`${path}?after=${game.plies.length}`).then(now => {
    now.plies.forEach((ply, index) => { if (now.after + index === game.plies.length) viewer.append(ply); });
    const { plies: _, ...rest } = now;
    if (game.status !== 'over' && rest.status === 'over') over(rest);
    else Object.assign(game, rest);
    looks();
    if (game.status === 'over') close();
  }).catch(trouble).finally(() => { asking = null; if (again) { again = false; catchUp(); } });
}

function trouble(error) {
  if (!(error instanceof Mistake)) throw error;
  byId('error').textContent = error.message;
}

const live = game.status !== 'over';
viewer = new Viewer(byId('viewer'), game, { live, playing: live, words: { deed, latest }, onShow: state });
let close = () => undefined;
if (live) {
  close = listen(`${path}/events`, {
    open: catchUp, reset: catchUp, ply: take,
    status: now => { Object.assign(game, now); looks(); },
    over: catchUp, // plies before the end may have been missed
    gone: () => over(LOST), // the server that played it is no more, and another does not know it
  });
}
byId('stop')?.addEventListener('click', () => ask(`${path}/stop`, {}).catch(trouble));
looks();

// A game as it is played: every ply is taken in at once, and shown when its time has come at the chosen speed.

import { Mistake, announce, ask, byId, listen } from './asking.js';
import { Viewer } from './replay.js';

const STATES = { starting: 'The agents are being started; the first time this may take a while.', playing: 'Live' };
const game = JSON.parse(byId('game').textContent), path = `/api/watch/${game.id}`;
const viewer = new Viewer(byId('viewer'), game, { live: game.status !== 'over', playing: game.status !== 'over', onShow: state });

function state() {
  const place = byId('state'), thinking = game.status === 'playing' && viewer?.ply === viewer?.last;
  const mover = thinking ? /^player [12]/.exec(game.plies.at(-1).caption)?.[0] : null;
  const words = game.status === 'over' ? game.end : mover ? `Live: ${mover} is thinking` : STATES[game.status];
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  place.textContent = ` ${words}`;
  if (game.status !== 'over') place.prepend(Object.assign(document.createElement('span'), { className: 'ring' }));
}

function looks() {
  state();
  const stop = byId('stop'), stored = byId('stored');
  if (stop) stop.hidden = game.status === 'over';
  stored.hidden = !game.number;
  if (game.number) stored.href = `/games/${game.number}`;
  byId('error').textContent = game.trouble ?? '';
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
  announce(game.end);
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

let close = () => undefined;
if (game.status !== 'over') {
  close = listen(`${path}/events`, {
    open: catchUp, reset: catchUp, ply: take,
    status: told => { Object.assign(game, told); looks(); },
    over: catchUp, // plies before the end may have been missed
  });
}
byId('stop')?.addEventListener('click', () => ask(`${path}/stop`, {}).catch(trouble));
looks();

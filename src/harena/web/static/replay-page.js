// The page of one stored game, and the same in a frame: the viewer, and links that follow the ply it shows.

import { byId } from './asking.js';
import { copy } from './copying.js';
import { Viewer } from './replay.js';
import { deed, latest } from './table.js';

const game = JSON.parse(byId('game').textContent);
const link = byId('link'), drawing = byId('drawing'), understand = byId('understand');

function follow(shown, ply) {
  if (link) link.href = `#ply=${ply}`;
  if (drawing) {
    drawing.href = `/games/${game.number}/board.svg?ply=${ply}`;
    drawing.download = `harena-game-${game.number}-ply-${ply}.svg`;
  }
  document.dispatchEvent(new CustomEvent('ply', { detail: { ply } }));
  if (understand) understand.href = `/understand?${new URLSearchParams({ game: game.game, position: shown.position })}`;
}

const viewer = new Viewer(byId('viewer'), game, { hash: true, words: { deed, latest }, onShow: follow });

document.addEventListener('goto', (/** @type {CustomEvent} */ event) => viewer.go(event.detail.ply)); // a review points at plies, and has notes
document.addEventListener('notes', (/** @type {CustomEvent} */ event) => viewer.annotate(event.detail.notes));

link?.addEventListener('click', event => {
  event.preventDefault();
  const address = new URL(link.getAttribute('href'), location.href).href;
  history.replaceState(null, '', address); // where the clipboard is not allowed, it is in the address bar
  copy(address, link);
});

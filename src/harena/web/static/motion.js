// Pictures that follow each other, with what happened between them shown as motion. Those who want less motion get none.
//
//   await move(board, picture);       // the board shows the picture; resolves when everything has come to rest

import { UNIT, cellName, make } from './board.js';
import { reached } from './walls.js';

const SLIDE = 200, FLY = 480, FALL = 520, BETWEEN = 45; // milliseconds
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const place = ([row, column]) => `translate(${(column + .5) * UNIT}px, ${(row + .5) * UNIT}px)`;
const key = ([row, column]) => `${row},${column}`;

// Where each cell's content is, and where each player stands.
const contents = picture => new Map(picture.cells.map(([row, column, holds]) => [key([row, column]), holds]));
const standing = (picture, who) => picture.cells.find(cell => cell[2] === who);
const marked = (picture, mark) => picture.marks.filter(one => one[2].includes(mark));

export async function move(board, picture) {
  const before = board.picture;
  board.show(picture);
  if (!before || calm.matches || document.hidden || before.rows !== picture.rows || before.columns !== picture.columns) return;
  const running = [...slides(board, before, picture), ...flights(board, before, picture), ...falls(board, before, picture)];
  await Promise.allSettled(running.map(animation => animation.finished));
}

const pieceAt = (board, [row, column]) => board.drawing.querySelector(`[data-at="${cellName(row, column)}"]`);

// Players slide to where they go, around walls.
function slides(board, before, picture) {
  return ['player 1', 'player 2'].flatMap(who => {
    const from = standing(before, who), to = standing(picture, who);
    if (!to || (from && key(from) === key(to))) return [];
    const piece = pieceAt(board, to);
    if (!from) return [piece.animate([{ transform: `${place(to)} scale(.2)`, opacity: 0 }, { transform: `${place(to)} scale(1)`, opacity: 1 }], { duration: SLIDE, easing: 'ease-out' })];
    piece.parentNode.append(piece); // above everything it passes
    const way = path(before, from, to);
    const duration = SLIDE * Math.min(2, .6 + .25 * way.length);
    return [piece.animate(way.map(cell => ({ transform: place(cell) })), { duration, easing: 'ease-in-out' })];
  });
}

// The cells of a shortest walk; straight there where no walls are in the way, or no walk is (a knight's jump).
function path(picture, from, to) {
  if (!picture.walls) return [from, to];
  const known = reached(picture, from), way = [];
  for (let step = known.get(key(to)); step; step = step.before && known.get(key(step.before))) way.unshift(step.cell);
  return way.length > 1 ? way : [from, to];
}

// A trap flies from who threw it to where it lands.
function flights(board, before, picture) {
  const [landing] = marked(picture, 'landed on');
  if (!landing || marked(before, 'landed on').some(one => key(one) === key(landing))) return [];
  const [thrower] = marked(picture, 'moved to');
  const piece = pieceAt(board, landing) ?? board.drawing.appendChild(make('g'));
  const [aim] = marked(picture, 'aimed at'), from = thrower ?? aim ?? landing;
  const halfway = `translate(${((from[1] + landing[1]) / 2 + .5) * UNIT}px, ${((from[0] + landing[0]) / 2 - .2) * UNIT}px) scale(1.5) rotate(160deg)`;
  piece.parentNode.append(piece);
  const traces = [...board.drawing.querySelectorAll('.landed-on, .flight')]; // where it lands is not told before it does
  const hidden = traces.map(trace => trace.animate([{ opacity: 0 }, { opacity: 0 }], { duration: FLY }));
  return [...hidden, piece.animate([
    { transform: `${place(from)} scale(.3) rotate(0deg)`, easing: 'ease-out' },
    { transform: halfway, offset: .55, easing: 'ease-in' },
    { transform: `${place(landing)} scale(1) rotate(360deg)` },
  ], { duration: FLY })];
}

// A tile that is removed shrinks; what it held falls, row by row from below.
function falls(board, before, picture) {
  const was = contents(before), gone = ['removed', 'fell'].flatMap(mark => marked(picture, mark).map(one => [...one.slice(0, 2), mark]));
  const fresh = gone.filter(cell => ['red', 'blue'].includes(was.get(key(cell))));
  fresh.sort((one, other) => Number(other[2] === 'removed') - Number(one[2] === 'removed') || other[0] - one[0]);
  return fresh.map((cell, order) => {
    const ghost = board.ghost(cell, was.get(key(cell)));
    const start = place(cell), end = cell[2] === 'removed' ? `${start} scale(0)`
      : `translate(${(cell[1] + .5) * UNIT}px, ${(picture.rows + .8) * UNIT}px) rotate(${cell[1] % 2 ? 50 : -50}deg)`;
    const animation = ghost.animate([{ transform: start, opacity: 1 }, { transform: end, opacity: 0 }],
      { duration: cell[2] === 'removed' ? SLIDE : FALL, delay: order * BETWEEN, easing: 'ease-in', fill: 'both' });
    animation.finished.then(() => ghost.remove(), () => ghost.remove());
    return animation;
  });
}

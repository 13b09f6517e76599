// The parts of a table's page beside the board: who sits there, whose turn it is, clocks, and the moves so far.

import { byId } from './asking.js';
import { icon } from './board.js';
import { element } from './dom.js';

// The piece of a seat; in tiles the colours belong to players by who moves first.
function pieceOf(told, seat) {
  if (told.state.game !== 'tiles') return `player ${seat + 1}`;
  const [, colour, mover] = told.state.position.split(' ');
  return (colour === 'R') === (Number(mover) === seat + 1) ? 'red' : 'blue';
}

export function drawSeats(told) {
  for (const seat of [0, 1]) {
    const card = byId(`seat-${seat}`), place = byId(`piece-${seat}`), piece = pieceOf(told, seat);
    if (place.dataset.piece !== piece) {
      place.dataset.piece = piece;
      place.replaceChildren(icon(piece));
    }
    card.classList.toggle('turn', !told.over && told.state.mover === seat);
    card.classList.toggle('won', told.over && told.winner === seat);
    const thought = byId(`thinking-${seat}`), begins = thought.hidden && told.thinking === seat;
    thought.hidden = told.thinking !== seat;
    if (begins) thought.firstElementChild.className = 'ring'; // until the server says since when
  }
}

// A seat within a sentence: a champion of whatever level is the champion.
const spoken = text => (text.split('(')[0] === 'champion' ? 'The champion' : text);

// What the one whose turn it is does next.
export function instruction(told) {
  const { seats, state, thinking } = told;
  if (thinking !== null) return `${spoken(seats[thinking])} is thinking`;
  const who = seats[0] === seats[1] ? `Player ${state.mover + 1}` : 'Your turn';
  return `${who}: ${NEXT[state.game]?.(state) ?? 'move'}`;
}

const NEXT = {
  trap: state => (state.moves[0]?.spread ? 'throw a trap' : 'walk to a neighbouring cell'),
  colosseum: () => 'choose a cell, then a side for your wall',
  isolation: state => (state.picture.cells.some(cell => cell[2] === `player ${state.mover + 1}`) ? 'jump to a marked cell' : 'put your knight on any free cell'),
  tiles: state => `remove a ${state.position.split(' ')[1] === 'R' ? 'red' : 'blue'} tile`,
};

const SIDES = { u: 'above', r: 'to the right', d: 'below', l: 'to the left' };
const DEEDS = {
  trap: move => (move.startsWith('@') ? ['throw', `a trap at ${move.slice(1)}`] : ['walk', `to ${move}`]),
  colosseum: move => ['go', `to ${move.slice(0, -1)} and build ${SIDES[move.at(-1)] ?? ''}`],
  isolation: move => ['go', `to ${move}`],
  tiles: move => ['remove', move],
};

// What a move tells one to do.
export const asDeed = (game, move) => (DEEDS[game]?.(move) ?? ['play', move]).join(' ');

// What somebody does with a move, in words.
export function deed(told, by, move) {
  const [verb, rest] = DEEDS[told.state.game]?.(move) ?? ['play', move], two = told.seats[0] === told.seats[1];
  if (told.seats[by] === 'human' && !two) return `You ${verb} ${rest}`;
  return `${two ? `Player ${by + 1}` : spoken(told.seats[by])} ${verb}${verb === 'go' ? 'es' : 's'} ${rest.replace('and build', 'and builds')}`;
}

// What happened last, in words.
export function latest(told) {
  const [before, last] = [told.plies.at(-2), told.plies.at(-1)];
  if (!last) return '';
  if (last.by < 2) return deed(told, last.by, last.move);
  const cell = last.move.slice(1);
  return `a ${before?.move.slice(1) === cell ? 'hit' : 'miss'}: the trap lands on ${cell}`;
}

const clock = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
const timeText = seconds => (seconds === null || seconds === undefined ? '' : seconds < 10 ? `${seconds.toFixed(1)} s` : seconds < 60 ? `${Math.round(seconds)} s` : clock(seconds));

export function drawClocks(told, arrived) {
  const since = told.waited + (performance.now() - arrived) / 1000;
  for (const seat of [0, 1]) {
    const running = !told.over && told.state.mover === seat;
    const text = clock(told.spent[seat] + (running ? since : 0)), place = byId(`clock-${seat}`);
    if (place.textContent !== text) place.textContent = text;
    if (told.thinking !== seat) continue;
    const share = byId(`thinking-${seat}`).firstElementChild, limit = told.limits.seconds;
    share.className = limit ? 'share' : 'ring'; // how much of its time is gone, where it has one
    if (limit) share.style.setProperty('--share', Math.min(1, since / limit).toFixed(3));
  }
}

// The plies of a turn together: walk, throw and landing are one entry.
function turns(plies) {
  const found = [];
  for (const [index, { by, move, seconds }] of plies.entries()) {
    const ply = { by, seconds, move: { text: move, ply: index + 1 } };
    const last = found[found.length - 1];
    if (ply.by === 2 || (last && last.by === ply.by)) {
      const own = last ?? { by: 0, moves: [], seconds: null };
      if (!last) found.push(own);
      own.moves.push(ply.move);
      if (ply.seconds !== null) own.seconds = (own.seconds ?? 0) + ply.seconds;
    } else {
      found.push({ by: ply.by, moves: [ply.move], seconds: ply.seconds });
    }
  }
  return found;
}

export function drawMoves(told) {
  const rows = [];
  for (const turn of turns(told.plies)) {
    if (!rows.length || turn.by === 0 || rows[rows.length - 1][1]) rows.push([null, null]);
    rows[rows.length - 1][turn.by] = turn;
  }
  // Of a game that is kept every move leads to its place in the replay.
  const text = ({ text: words, ply }) => (told.over && told.number !== null ? element('a', { href: `/games/${told.number}#ply=${ply}` }, words) : words);
  const cell = (turn, latest) => element('td', latest ? { class: 'latest' } : {}, ...(turn
    ? [element('span', { class: 'text' }, ...turn.moves.flatMap((move, index) => (index ? [' ', text(move)] : [text(move)]))), ' ', element('small', { class: 'soft' }, timeText(turn.seconds))] : []));
  const count = rows.length;
  byId('moves').replaceChildren(...rows.map(([first, second], index) => element('tr', {},
    element('td', { class: 'number soft' }, String(index + 1)),
    cell(first, index === count - 1 && !second), cell(second, index === count - 1 && second))));
  byId('no-moves').hidden = count > 0;
  byId('scroll').scrollTop = byId('scroll').scrollHeight;
}

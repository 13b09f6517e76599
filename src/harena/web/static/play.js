// The page of a game in progress. What happens is queued, so that every ply is seen even when several come at once.

import { announce, ask, byId, listen } from './asking.js';
import { Board, cellName } from './board.js';
import { copy } from './copying.js';
import { element } from './dom.js';
import { move as show } from './motion.js';
import { asDeed, deed, drawClocks, drawMoves, drawSeats, instruction, latest } from './table.js';

let table = JSON.parse(byId('data').textContent);
let arrived = performance.now(); // when `table` was told, for the clocks
let waiting = false; // for an answer to our own move
let newest = table.version; // that we have heard of
const acts = Boolean(byId('playing'));
const here = `/api/tables/${table.id}`;
const board = new Board(byId('board'));
board.svg.setAttribute('role', 'application');
board.svg.setAttribute('aria-roledescription', 'board');

const AWAY = 3000; // milliseconds between two looks while nobody sees the page, which has no stream then: its title tells whose turn it is
const queue = [];
let running = false;

async function inTurn(step) {
  queue.push(step);
  if (running) return;
  running = true;
  while (queue.length) {
    try { await queue.shift()(); } catch (fault) { reportError(fault); } // one that fails stops none of the others
  }
  running = false;
}

// Take over what the server tells: first what happened, ply by ply, then all the rest.
function accept(told, anyway = false) {
  if (told.version < table.version) return;
  const fresh = anyway || told.version > table.version;
  const missed = told.plies.length - table.plies.length;
  const steps = missed > 0 ? told.steps.slice(-missed) : [];
  [table, arrived] = [told, performance.now()];
  steps.forEach((step, index) => inTurn(async () => {
    begin(told, step, told.plies.length - steps.length + index + 1);
    if (step.picture) await show(board, step.picture);
    if (step.by === 2) byId('told').textContent = step.words; // not before it has landed
    if (step.by === 2) announce(step.words);
  }));
  if (fresh) inTurn(async () => render(told));
}

// A ply is about to be shown: what stands beside the board tells of the same one.
function begin(told, step, count) {
  const words = step.by === 2 ? 'The trap is in the air' : deed(told, step.by, step.move);
  drawMoves({ ...told, plies: told.plies.slice(0, step.by === 2 ? count - 1 : count) });
  drawSeats({ ...told, over: false, thinking: null, state: { ...told.state, mover: step.by === 2 ? null : step.by } });
  byId('status').textContent = words;
  byId('position').value = step.position;
  if (step.by < 2) byId('told').textContent = words;
  if (step.by < 2 && told.seats[step.by] !== 'human') announce(words);
}

const ended = told => (told.seats[0] === told.seats[1] || told.winner === null ? '' : told.seats[told.winner] === 'human' ? 'won' : 'lost');

function render(told) {
  if (told.version !== table.version) return; // a newer one waits in the queue
  if (told.state.picture) board.show(told.state.picture);
  Object.assign(byId('board').dataset, { plies: told.plies.length, turn: told.over ? 'nobody' : told.thinking === null ? 'human' : 'agent' });
  drawSeats(told);
  drawMoves(told);
  const words = told.over ? told.result : instruction(told);
  byId('status').textContent = words;
  byId('status').className = `says ${told.over ? `ended ${ended(told)}` : ''}`;
  byId('told').textContent = latest(told);
  byId('why').textContent = told.why;
  byId('why').hidden = !told.why;
  if (told.over || told.thinking === null) announce(told.why ? `${words}. ${told.why}` : words);
  byId('position').value = told.state.position;
  byId('understand').href = `/understand?${new URLSearchParams({ game: told.state.game, position: told.state.position })}`;
  document.title = document.title.replace(/^(● )?/, told.thinking === null && !told.over ? '● ' : '');
  if (!acts) return;
  byId('advice').textContent = '';
  byId('playing').hidden = told.over;
  byId('typing').hidden = byId('keys').hidden = told.over;
  byId('ended').hidden = !told.over;
  byId('undo').disabled = !told.undoable;
  byId('hint').disabled = told.thinking !== null;
  byId('replay').hidden = told.number === null;
  if (told.number !== null) byId('replay').href = `/games/${told.number}`;
  if (told.trouble) complain(`The game could not be stored: ${told.trouble}`);
  offer(told);
}

function offer(told) {
  const mine = !told.over && told.thinking === null && !waiting;
  const game = told.state.game;
  board.offer(mine ? told.state.moves : null, play, {
    piece: game === 'tiles' || told.state.moves[0]?.spread ? null : `player ${told.state.mover + 1}`,
    onPoint: (cell, moves) => announce(pointed(cell, moves)),
    onArm: (cell, { hit }) => { byId('told').textContent = `Tap ${cellName(...cell)} again to throw (hits with ${Math.round(100 * hit)} %).`; },
    onFirst: (cell, moves) => {
      if (cell) settle();
      byId('sides').hidden = !cell;
      for (const button of byId('sides').querySelectorAll('button')) button.disabled = !moves.some(move => move.side === button.dataset.side);
      byId('status').textContent = cell ? `${instruction(told).split(':')[0]}: choose a side for your wall` : instruction(told);
      if (cell) announce('now the side of the wall: an arrow shows it and Enter builds it, or u, r, d, l at once');
    },
    onSide: words => announce(words ? `a wall ${words}: Enter builds it` : 'no wall can be built there'),
    onMiss: cell => {
      const name = cellName(...cell);
      settle();
      byId('told').textContent = `${name} is no move now: what can be chosen is marked.`;
      announce(`${name} is no move now`);
    },
  });
}

function pointed([row, column], moves) {
  const name = cellName(row, column);
  const holds = board.picture.cells.find(cell => cell[0] === row && cell[1] === column)?.[2] ?? 'free';
  const hit = moves[0]?.hit === undefined ? '' : `, hits with ${Math.round(100 * moves[0].hit)} %`;
  const falls = moves[0]?.falls?.length ? `, ${moves[0].falls.length} more would fall` : '';
  return `${name}, ${holds}${moves.length ? ', can be chosen' : ''}${hit}${falls}`;
}

// What our own move does at once, before the server has said so; dice come with its answer.
function foreseen(picture, move, who) {
  if (!move.cell) return picture;
  const [row, column] = move.cell, cells = picture.cells.filter(cell => cell[2] !== who);
  const calm = { ...picture, marks: [], new_wall: null };
  if (move.spread) return { ...calm, marks: [[row, column, ['aimed at']]] };
  if (move.falls) return fallen(calm, move);
  const standing = [...cells.filter(cell => cell[0] !== row || cell[1] !== column), [row, column, who]];
  const walls = { u: [row - 1, column, 'd'], d: [row, column, 'd'], l: [row, column - 1, 'r'], r: [row, column, 'r'] };
  return { ...calm, cells: standing, new_wall: move.side ? walls[move.side] : null };
}

function fallen(picture, { cell, falls }) {
  const gone = new Set([cell, ...falls].map(String)), left = picture.cells.filter(([row, column]) => !gone.has(`${row},${column}`));
  const gaps = [cell, ...falls].map(([row, column]) => [row, column, 'gap']);
  return { ...picture, cells: [...left, ...gaps], marks: [[...cell, ['removed']], ...falls.map(one => [...one, ['fell']])] };
}

// Who thinks after our move is seen at once, too; after a walk in Trap! it is still our turn.
function expect(move) {
  const { state, seats } = table, next = state.game === 'trap' && !move.spread ? state.mover : 1 - state.mover;
  drawSeats({ ...table, thinking: seats[next] === 'human' ? null : next, state: { ...state, mover: next } });
}

async function play(move) {
  const { state, plies } = table, who = `player ${state.mover + 1}`;
  settle();
  waiting = true;
  byId('status').textContent = deed(table, state.mover, move.text);
  expect(move);
  const shown = state.picture ? inTurn(() => show(board, foreseen(state.picture, move, who))) : null;
  await act(async () => {
    const told = await ask(`${here}/move?since=${plies.length}`, { move: move.text, ply: plies.length });
    await shown;
    return told;
  });
}

// Do something at the table; a mistake is said, and the board is as it was.
async function act(doing) {
  try {
    const told = await doing();
    waiting = false;
    accept(told, true);
  } catch (mistake) {
    waiting = false;
    complain(mistake.message);
    inTurn(async () => render(table));
  }
  if (newest > table.version) refresh();
}

function complain(words) {
  byId('error').textContent = words;
}

// The next deed makes what was said about the last one old: the last move is told again, and nothing else.
function settle() {
  complain('');
  byId('told').textContent = latest(table);
}

async function refresh() {
  try {
    const told = await ask(`${here}?since=${table.plies.length}`);
    complain('');
    accept(told);
  } catch (mistake) {
    complain(mistake.message);
  }
}

async function advise() {
  const button = byId('hint');
  settle();
  button.disabled = true;
  byId('advice').replaceChildren(element('span', { class: 'ring' }), ' the champion is thinking');
  try {
    const found = await ask(`${here}/hint`, {});
    if (found.ply !== table.plies.length) return;
    byId('advice').textContent = `The champion would ${asDeed(table.state.game, found.move)}: ${found.reason}`;
    board.advise(table.state.moves.find(move => move.text === found.move));
  } catch (mistake) {
    byId('advice').textContent = '';
    complain(mistake.message);
  } finally {
    button.disabled = table.thinking !== null;
  }
}

// Resigning wants a second click, since nothing takes it back.
function resign(event) {
  const button = event.currentTarget;
  settle();
  if (button.dataset.sure) return act(() => ask(`${here}/resign`, {}));
  button.dataset.sure = 'yes';
  button.textContent = 'Really resign?';
  setTimeout(() => { delete button.dataset.sure; button.textContent = 'Resign'; }, 4000);
  return undefined;
}

byId('copy').addEventListener('click', () => copy(byId('position').value, byId('copy')));
for (const button of byId('sides').querySelectorAll('button')) {
  button.addEventListener('click', () => {
    const move = board.first && board.at(...board.first).find(one => one.side === button.dataset.side);
    if (move) board.decide(move);
  });
}
if (acts) {
  byId('hint').addEventListener('click', advise);
  byId('undo').addEventListener('click', () => {
    byId('typed').value = '';
    settle();
    act(() => ask(`${here}/undo`, {}));
  });
  byId('resign').addEventListener('click', resign);
  byId('rematch').addEventListener('click', () => act(async () => {
    const next = await ask(`${here}/rematch`, {});
    location.assign(`/play/${next.id}`);
    return table;
  }));
  byId('typing').addEventListener('submit', event => {
    event.preventDefault();
    const text = byId('typed').value.trim();
    if (!text || waiting) return;
    const known = table.state.moves.find(move => move.text === text.toLowerCase());
    play(known ?? { text }).then(() => { if (!byId('error').textContent) byId('typed').value = ''; });
  });
  document.addEventListener('keydown', event => {
    const { target } = event;
    if ((target instanceof Element && target.closest('input, textarea, select')) || event.ctrlKey || event.metaKey || event.altKey || table.over) return;
    if (event.key === 'h' && !byId('hint').disabled) advise();
    else if (event.key === 'z' && !byId('undo').disabled) byId('undo').click();
  });
}

if (table.state.picture) board.show(table.state.picture);
render(table);
listen(`${here}/events`, {
  open: refresh,
  gone: complain,
  reset: refresh,
  trouble: told => complain(told.words),
  changed: told => {
    newest = Math.max(newest, told.version);
    if (newest > table.version && !waiting) refresh();
  },
});
setInterval(() => drawClocks(table, arrived), 200);
setInterval(() => { if (document.hidden && table.thinking !== null) refresh(); }, AWAY);
drawClocks(table, arrived);

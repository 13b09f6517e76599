// A board as SVG, drawn from the picture of web/seeing.py: the same arena as render/svg.py draws. No page, no network.
//
//   const board = new Board(element);           // an element of the page to draw into
//   board.show(picture);                         // rows, columns, cells, walls, marks, heat
//   board.offer(moves, move => ...);             // legal moves: click, tap or keys choose one; null takes the offer back
//   board.advise(move);                          // mark one move, until the next picture
//
// A move with two parts (colosseum: destination, then wall side) is chosen by two clicks. What a move would do is shown
// under the pointer or the cursor of the keys: the wall, the walk, where a throw may land and how likely. Where there is
// no pointer to hover with, the first tap on a throw shows that and the second one throws.

import { reached } from './walls.js';

export const UNIT = 48;
const LEFT = 34, TOP = 34, RIGHT = 20, BOTTOM = 20;
const NAME = 'http://www.w3.org/2000/svg';
const HEATS = ['#d7eef2', '#bfe5e0', '#b5e3c5', '#c3e6a8', '#dbe98d', '#f2e66f', '#f8cf57', '#f8b048', '#f48b3a', '#ea5f2b'];
const CROSS_HAIR = 'M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M0 -23V-13M0 23V13M-23 0H-13M23 0H13';
const SIDES = { u: [0, 0, 1, 0], r: [1, 0, 0, 1], d: [0, 1, 1, 0], l: [0, 0, 0, 1] }; // start x, y and length x, y of a side
const SIDE_NAMES = { u: 'above', r: 'right', d: 'below', l: 'left' };

export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(NAME, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function cellName(row, column) {
  return String.fromCharCode(97 + column) + (row + 1);
}

function star(points, outer, inner) {
  return Array.from({ length: 2 * points }, (_, index) => {
    const radius = index % 2 ? inner : outer, angle = Math.PI * index / points;
    return `${(radius * Math.sin(angle)).toFixed(1)},${(-radius * Math.cos(angle)).toFixed(1)}`;
  }).join(' ');
}

const square = (name, half, round, down = 0) =>
  make('rect', { class: name, x: -half, y: down - half, width: 2 * half, height: 2 * half, rx: round });
const letter = (name, text) => make('text', { class: name, dy: '.35em' }, text);
const line = (name, d) => make('path', { class: name, d });
const badge = (text, fill) => make('g', { class: 'badge-of', transform: 'translate(10 -10)' }, make('circle', { r: 9, fill }), text);
const tile = (name, text, inlay) => [square(`${name}-edge`, 20, 6, 1), square(name, 19, 6, -1.5), inlay, letter('letter', text)];

const CONTENTS = {
  blocked: () => [square('blocked', 22.5, 4), line('hatch', 'M-14 -4L-4 -14M-14 14L14 -14M4 14L14 4')],
  gap: () => [square('gap', 24, 0)],
  trap: () => [make('circle', { class: 'trap', r: 16 }), make('polygon', { class: 'teeth', points: star(9, 13, 6.5) }), make('circle', { class: 'spring', r: 3.5 })],
  'player 1': () => [make('circle', { class: 'player-1', r: 16.5 }), letter('number-1', '1')],
  'player 2': () => [make('polygon', { class: 'player-2', points: '0,-19 17,-9.5 17,9.5 0,19 -17,9.5 -17,-9.5' }), letter('number-2', '2')],
  red: () => tile('red', 'R', square('inlay', 14, 3, -1.5)),
  blue: () => tile('blue', 'B', make('circle', { class: 'inlay', cy: -1.5, r: 14.5 })),
};
const TRACES = {
  'came from': () => [square('came-from', 21, 4)],
  'moved to': () => [square('moved-to', 22, 4)],
  'landed on': () => [make('polygon', { class: 'landed-on', points: star(12, 25, 17) })],
};
const SIGNS = {
  'aimed at': () => [line('aimed-at', CROSS_HAIR)],
  removed: () => [square('ghost', 18, 6), line('removed', 'M-8 -8L8 8M-8 8L8 -8')],
  fell: () => [square('ghost', 18, 6), line('fell', 'M-8 -7L0 1L8 -7M-8 2L0 10L8 2')],
};

const middle = (row, column) => [(column + .5) * UNIT, (row + .5) * UNIT];
const at = (row, column, shapes) => make('g', { transform: `translate(${middle(row, column).join(' ')})` }, ...shapes);
const wallPath = ([row, column, side]) =>
  side === 'r' ? `M${(column + 1) * UNIT} ${row * UNIT}v${UNIT}` : `M${column * UNIT} ${(row + 1) * UNIT}h${UNIT}`;

export function sidePath(row, column, side) {
  const [x, y, dx, dy] = SIDES[side];
  return `M${(column + x) * UNIT} ${(row + y) * UNIT}l${dx * UNIT} ${dy * UNIT}`;
}

// All shapes of a picture, from bottom to top, the board's upper left corner at the origin.
function shapes(picture) {
  const { rows, columns } = picture, parts = [];
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    parts.push(make('rect', { class: 'cell', 'data-cell': cellName(row, column), x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT }));
  }
  for (const [row, column, player] of zones(picture)) parts.push(at(row, column, [square(`zone-${player}`, 24, 0)]));
  const grounds = picture.cells.filter(([, , holds]) => holds === 'blocked' || holds === 'gap');
  for (const [row, column, holds] of grounds) parts.push(at(row, column, CONTENTS[holds]()));
  const full = new Set(picture.cells.filter(cell => cell[2] !== 'free').map(([row, column]) => `${row},${column}`)), badges = [];
  for (const [row, column, warmth] of picture.heat) {
    const shade = make('rect', { class: 'heat', x: -23, y: -23, width: 46, height: 46, fill: HEATS[warmth] }), digit = letter('warmth', String(warmth));
    if (full.has(`${row},${column}`)) badges.push(at(row, column, [badge(digit, HEATS[warmth])])); // a piece would hide it
    parts.push(at(row, column, full.has(`${row},${column}`) ? [shade] : [shade, digit]));
  }
  for (const [row, column, marks] of picture.marks) for (const mark of marks) if (TRACES[mark]) parts.push(at(row, column, TRACES[mark]()));
  for (const [row, column, holds] of picture.cells) {
    if (holds === 'free' || holds === 'blocked' || holds === 'gap') continue;
    const piece = at(row, column, CONTENTS[holds] ? CONTENTS[holds]() : [letter('text', holds)]);
    Object.assign(piece.dataset, { piece: holds, at: cellName(row, column) });
    parts.push(piece);
  }
  parts.push(...badges);
  parts.push(make('rect', { class: picture.walls ? 'wall' : 'border', x: 0, y: 0, width: columns * UNIT, height: rows * UNIT, rx: 2 }));
  for (const side of picture.walls ?? []) parts.push(line('wall', wallPath(side)));
  if (picture.new_wall) for (const name of ['glow', 'new-wall', 'core']) parts.push(line(name, wallPath(picture.new_wall)));
  const only = mark => { const found = picture.marks.filter(one => one[2].includes(mark)); return found.length === 1 ? found[0] : null; };
  const aim = only('aimed at'), landing = only('landed on');
  if (aim && landing && (aim[0] !== landing[0] || aim[1] !== landing[1])) {
    parts.push(line('flight', `M${middle(aim[0], aim[1])}L${middle(landing[0], landing[1])}`));
  }
  for (const [row, column, marks] of picture.marks) for (const mark of marks) if (SIGNS[mark]) parts.push(at(row, column, SIGNS[mark]()));
  for (let column = 0; column < columns; column++) parts.push(make('text', { class: 'label', x: (column + .5) * UNIT, y: -10 }, cellName(0, column)[0]));
  for (let row = 0; row < rows; row++) parts.push(make('text', { class: 'label', x: -17, y: (row + .5) * UNIT + 5 }, String(row + 1)));
  return parts;
}

// The zones of two players between whom no way is left: [row, column, player] of every cell of theirs.
function zones(picture) {
  const [from, to] = ['player 1', 'player 2'].map(who => picture.cells.find(cell => cell[2] === who));
  if (!picture.walls || !from || !to) return [];
  const [one, two] = [reached(picture, from), reached(picture, to)];
  if (one.has(`${to[0]},${to[1]}`)) return [];
  const cells = (zone, player) => [...zone.values()].map(({ cell: [row, column] }) => [row, column, player]);
  return [...cells(one, 1), ...cells(two, 2)];
}

// What is where, in words: the name of the drawing for those who do not see it.
function describe(picture) {
  const places = new Map();
  for (const [row, column, holds] of picture.cells) {
    if (holds !== 'free') places.set(holds, [...(places.get(holds) ?? []), cellName(row, column)]);
  }
  const said = [...places].map(([what, where]) => `${what}: ${where.join(', ')}`);
  if (picture.walls) said.push(`${picture.walls.length} walls`);
  return [picture.caption, ...said].filter(Boolean).join('. ');
}

// A piece by itself, for lists and cards.
export function icon(holds) {
  return make('svg', { class: 'board icon', viewBox: '-24 -24 48 48', 'aria-hidden': 'true' }, ...CONTENTS[holds]());
}

const percent = chance => `${Math.round(100 * chance)}%`;
const odds = (chance, plated) => [ // over colours on a plate, so that it can be read
  ...(plated ? [make('rect', { class: 'plate', x: -18, y: -9.5, width: 36, height: 19, rx: 5 })] : []), letter('odds', percent(chance))];
const lowOdds = chance => [ // at the foot of a cell, whose content stays to be seen
  make('rect', { class: 'plate', x: -17, y: 8, width: 34, height: 14, rx: 4 }), make('text', { class: 'odds', y: 15, dy: '.35em' }, percent(chance))];
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SIDE_ARROWS = { ArrowUp: 'u', ArrowRight: 'r', ArrowDown: 'd', ArrowLeft: 'l' };
const box = (name, [row, column], inset) =>
  make('rect', { class: name, x: column * UNIT + inset, y: row * UNIT + inset, width: UNIT - 2 * inset, height: UNIT - 2 * inset, rx: 4 });
const same = (one, other) => one && other && one[0] === other[0] && one[1] === other[1];

export class Board {
  constructor(element) {
    this.svg = make('svg', { class: 'board', role: 'group', tabindex: 0 });
    this.drawing = make('g');
    this.targets = make('g', { class: 'targets' });
    this.advice = make('g', { class: 'advice' });
    this.preview = make('g', { class: 'previews' });
    this.frame = make('g', { transform: `translate(${LEFT} ${TOP})` }, this.drawing, this.targets, this.advice, this.preview);
    this.panel = make('rect', { class: 'panel', x: 1, y: 1, rx: 12 });
    this.svg.append(this.panel, this.frame);
    element.replaceChildren(this.svg);
    this.moves = [];
    this.choose = null;
    this.pointer = 'mouse';
    this.svg.addEventListener('keydown', event => this.key(event));
    this.svg.addEventListener('click', event => this.clicked(event));
    this.svg.addEventListener('pointerdown', event => { this.pointer = event.pointerType; });
    this.svg.addEventListener('pointermove', event => { if (event.pointerType !== 'touch') this.hover(event); });
    this.svg.addEventListener('pointerleave', event => { if (event.pointerType !== 'touch') this.foresee(this.cursor); });
  }

  show(picture) {
    this.picture = picture;
    const width = LEFT + picture.columns * UNIT + RIGHT, height = TOP + picture.rows * UNIT + BOTTOM;
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.setAttribute('aria-label', describe(picture));
    this.panel.setAttribute('width', width - 2);
    this.panel.setAttribute('height', height - 2);
    this.drawing.replaceChildren(...shapes(picture));
    for (const layer of [this.targets, this.advice, this.preview]) layer.replaceChildren();
  }

  // A content drawn above the board for a while: whoever asks for it takes it away.
  ghost([row, column], holds) {
    return this.drawing.appendChild(at(row, column, CONTENTS[holds]()));
  }

  // Offer legal moves; `choose` is called with the one that is chosen. `null` takes the offer back. `piece` is what moves
  // ("player 1"); `onPoint(cell, moves)` hears where the keys' cursor is, `onFirst(cell, moves)` of a destination (or null).
  // `onSide(words)` hears of a wall that the keys only show; `onMiss(cell)` of a choice where no move is; `onArm(cell, move)` of a throw that a second tap decides; `quiet` marks no cells, but shows what is under the pointer.
  offer(moves, choose, { onPoint = null, onArm = null, onFirst = null, onSide = null, onMiss = null, piece = null, quiet = false } = {}) {
    this.moves = moves ?? [];
    this.choose = moves ? choose : null;
    this.onPoint = onPoint;
    this.onArm = onArm;
    this.onFirst = onFirst;
    this.onSide = onSide;
    this.onMiss = onMiss;
    this.piece = piece;
    this.quiet = quiet;
    this.first = this.armed = this.side = null;
    this.cursor = this.choose ? this.cursor : null;
    this.paint();
  }

  at(row, column) {
    return this.moves.filter(move => move.cell && move.cell[0] === row && move.cell[1] === column);
  }

  paint() {
    this.targets.replaceChildren();
    this.preview.replaceChildren();
    if (!this.choose) return;
    if (this.first) this.paintSides();
    else if (!this.quiet) this.paintCells();
    if (this.cursor) this.targets.append(box('cursor', this.cursor, 3));
    this.foresee(this.armed ?? this.cursor);
  }

  // The cells that hold something.
  get full() {
    return new Set(this.picture.cells.filter(cell => cell[2] !== 'free').map(([row, column]) => `${row},${column}`));
  }

  paintSides() {
    this.targets.append(box('chosen', this.first, 2));
    for (const move of this.at(...this.first)) {
      const side = make('path', { class: 'side', d: sidePath(...this.first, move.side), 'data-move': move.text });
      side.append(make('title', {}, `wall ${SIDE_NAMES[move.side]}`));
      this.targets.append(side);
    }
  }

  paintCells() {
    const { full } = this;
    this.spots = new Map();
    for (const { cell, hit } of this.moves) {
      if (!cell || this.spots.has(String(cell))) continue;
      const spot = hit !== undefined ? at(...cell, full.has(String(cell)) ? lowOdds(hit) : odds(hit, false)) : full.has(String(cell)) ? box('target-edge', cell, 2)
        : make('circle', { class: 'target', cx: middle(...cell)[0], cy: middle(...cell)[1], r: 9 });
      this.spots.set(String(cell), spot);
      this.targets.append(spot);
    }
  }

  // What a move to this cell would do: nothing is shown where none is.
  foresee(cell, side = null) {
    this.preview.replaceChildren();
    for (const spot of this.spots?.values() ?? []) spot.classList.remove('covered');
    const here = cell && this.choose ? this.at(...cell) : [];
    this.targets.classList.toggle('dim', Boolean(here[0]?.spread));
    if (!here.length) return;
    const wall = side && here.find(move => move.side === side);
    if (here[0].spread) this.foreseeThrow(here[0]);
    else if (here[0].falls) this.foreseeFall(here[0]);
    else if (this.piece && CONTENTS[this.piece]) this.preview.append(make('g', { class: 'ghosted' }, at(...cell, CONTENTS[this.piece]())));
    else this.preview.append(box('pointed', cell, 2));
    if (wall) this.preview.append(line('preview', sidePath(...cell, side)));
  }

  foreseeThrow(move) {
    for (const [row, column, chance] of move.spread) {
      this.spots?.get(`${row},${column}`)?.classList.add('covered');
      const spot = make('circle', { class: 'chance', r: (8 + 15 * Math.sqrt(chance)).toFixed(1), 'fill-opacity': (.25 + .5 * chance).toFixed(2) });
      this.preview.append(at(row, column, [spot, ...odds(chance, true)]));
    }
    this.preview.append(at(...move.cell, [line('aimed-at', CROSS_HAIR)]));
  }

  foreseeFall(move) {
    this.preview.append(at(...move.cell, [square('leaving', 19, 6), ...SIGNS.removed()]));
    for (const cell of move.falls) this.preview.append(at(...cell, [square('leaving', 19, 6), ...SIGNS.fell()]));
  }

  hover(event) {
    if (!this.choose) return;
    const point = this.pointAt(event);
    this.side = null; // the pointer shows another
    if (this.first) return this.foresee(this.first, this.sideAt(point, this.first));
    const cell = this.cellAt(point);
    this.foresee(cell ?? this.cursor, cell && this.sideAt(point, cell));
  }

  clicked(event) {
    if (!this.choose) return;
    const point = this.pointAt(event), side = this.first && this.sideAt(point, this.first);
    if (side) return this.decide(this.at(...this.first).find(move => move.side === side));
    const cell = this.cellAt(point);
    if (!cell) return;
    const here = this.at(...cell);
    if (!here.length && !this.first) return this.refuse(cell);
    if (this.pointer === 'touch' && here[0]?.spread && !same(this.armed, cell)) {
      this.armed = cell;
      this.onPoint?.(cell, here);
      this.onArm?.(cell, here[0]);
      return this.paint();
    }
    this.pick(...cell);
  }

  refuse(cell) {
    this.armed = null;
    this.paint();
    this.preview.append(box('refused', cell, 3));
    this.onMiss?.(cell);
  }

  // A place of the screen in the board's own units.
  pointAt(event) {
    const matrix = this.frame.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : new DOMPoint(-1, -1);
  }

  /** @returns {[number, number] | null} */
  cellAt(point) {
    const row = Math.floor(point.y / UNIT), column = Math.floor(point.x / UNIT);
    const inside = row >= 0 && column >= 0 && row < this.picture.rows && column < this.picture.columns;
    return inside ? [row, column] : null;
  }

  // The side of a cell that a point near it means, if a wall may be built there; its very middle means none.
  sideAt(point, [row, column]) {
    const right = point.x - middle(row, column)[0], down = point.y - middle(row, column)[1];
    const far = Math.max(Math.abs(right), Math.abs(down));
    if (far < 8 || far > .75 * UNIT) return null;
    const side = Math.abs(right) > Math.abs(down) ? (right > 0 ? 'r' : 'l') : (down > 0 ? 'd' : 'u');
    return this.at(row, column).some(move => move.side === side) ? side : null;
  }

  pick(row, column) {
    const here = this.at(row, column);
    if (here.length === 1 && !here[0].side) return this.decide(here[0]);
    this.first = !here.length || same(this.first, [row, column]) ? null : [row, column];
    this.side = null;
    this.onFirst?.(this.first, this.first ? here : []);
    this.paint();
  }

  decide(move) {
    const choose = this.choose;
    this.choose = null;
    this.first = this.cursor = this.armed = this.side = null;
    this.onFirst?.(null, []);
    this.targets.replaceChildren();
    this.preview.replaceChildren();
    choose(move);
  }

  advise(move) {
    this.advice.replaceChildren();
    if (!move?.cell) return;
    this.advice.append(box(this.picture.heat.length ? 'advised over-heat' : 'advised', move.cell, 3));
    if (move.side) this.advice.append(line('advised-wall', sidePath(...move.cell, move.side)));
  }

  key(event) {
    if (!this.choose || event.ctrlKey || event.metaKey || event.altKey) return;
    const side = this.first && this.at(...this.first).find(one => one.side === (SIDE_ARROWS[event.key] ?? event.key));
    const shown = this.first && this.side && ['Enter', ' '].includes(event.key);
    if (side && SIDE_ARROWS[event.key]) {
      this.side = side.side;
      this.foresee(this.first, this.side);
      this.onSide?.(SIDE_NAMES[this.side]);
    } else if (side || shown) {
      this.decide(side || this.at(...this.first).find(one => one.side === this.side));
    } else if (this.first && SIDE_ARROWS[event.key]) {
      this.onSide?.(null); // there is a wall already
    } else if (STEPS[event.key]) {
      this.step(...STEPS[event.key]);
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor) {
      if (this.first || this.at(...this.cursor).length) this.pick(...this.cursor);
      else this.refuse(this.cursor);
    } else if (event.key === 'Escape' && (this.first || this.armed)) {
      this.first = this.armed = this.side = null;
      this.onFirst?.(null, []);
      this.paint();
    } else {
      return;
    }
    event.preventDefault();
  }

  // The keys' cursor: it begins where something can be done, and stays on the board.
  step(down, right) {
    const [row, column] = this.cursor ?? this.moves.find(move => move.cell)?.cell ?? [0, 0], { rows, columns } = this.picture;
    const within = (number, most) => Math.min(Math.max(number, 0), most - 1);
    this.cursor = this.cursor ? [within(row + down, rows), within(column + right, columns)] : [row, column];
    this.onPoint?.(this.cursor, this.at(...this.cursor));
    this.paint();
  }
}

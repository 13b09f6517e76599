// A board as SVG, drawn from the picture of web/seeing.py: the same arena as render/svg.py draws. No page, no network.
//
//   const board = new Board(element);           // an element of the page to draw into
//   board.show(picture);                         // rows, columns, cells, walls, marks, heat
//   board.offer(moves, move => ...);             // legal moves: click, tap or keys choose one; null takes the offer back
//
// A move with two parts (colosseum: destination, then wall side) is chosen by two clicks.

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
const tile = (name, text, inlay) => [square(`${name}-edge`, 20, 6, 1), square(name, 19, 6, -1.5), inlay, letter('letter', text)];

const CONTENTS = {
  blocked: () => [square('blocked', 22.5, 4), line('hatch', 'M-14 -4L-4 -14M-14 14L14 -14M4 14L14 4')],
  gap: () => [square('gap', 24.5, 0)],
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
  const grounds = picture.cells.filter(([, , holds]) => holds === 'blocked' || holds === 'gap');
  for (const [row, column, holds] of grounds) parts.push(at(row, column, CONTENTS[holds]()));
  const holding = new Map(picture.cells.map(([row, column, holds]) => [`${row},${column}`, holds]));
  for (const [row, column, warmth] of picture.heat) {
    const shade = make('rect', { class: 'heat', x: -23, y: -23, width: 46, height: 46, fill: HEATS[warmth] });
    const bare = !holding.has(`${row},${column}`) || holding.get(`${row},${column}`) === 'free';
    parts.push(at(row, column, bare ? [shade, letter('warmth', String(warmth))] : [shade]));
  }
  for (const [row, column, marks] of picture.marks) for (const mark of marks) if (TRACES[mark]) parts.push(at(row, column, TRACES[mark]()));
  for (const [row, column, holds] of picture.cells) {
    if (holds === 'free' || holds === 'blocked' || holds === 'gap') continue;
    const piece = at(row, column, CONTENTS[holds] ? CONTENTS[holds]() : [letter('text', holds)]);
    piece.dataset.piece = holds;
    parts.push(piece);
  }
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

// What is where, in words: the name of the drawing for those who do not see it.
export function describe(picture) {
  const places = new Map();
  for (const [row, column, holds] of picture.cells) {
    if (holds !== 'free') places.set(holds, [...(places.get(holds) ?? []), cellName(row, column)]);
  }
  const said = [...places].map(([what, where]) => `${what}: ${where.join(', ')}`);
  if (picture.walls) said.push(`${picture.walls.length} walls`);
  return [picture.caption, ...said].filter(Boolean).join('. ');
}

export class Board {
  constructor(element) {
    this.svg = make('svg', { class: 'board', role: 'group', tabindex: 0 });
    this.drawing = make('g');
    this.targets = make('g', { class: 'targets' });
    this.frame = make('g', { transform: `translate(${LEFT} ${TOP})` }, this.drawing, this.targets);
    this.panel = make('rect', { class: 'panel', x: 1, y: 1, rx: 12 });
    this.svg.append(this.panel, this.frame);
    element.replaceChildren(this.svg);
    this.moves = [];
    this.choose = null;
    this.svg.addEventListener('keydown', event => this.key(event));
    this.svg.addEventListener('click', event => this.clicked(event));
  }

  show(picture) {
    this.picture = picture;
    const width = LEFT + picture.columns * UNIT + RIGHT, height = TOP + picture.rows * UNIT + BOTTOM;
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.setAttribute('aria-label', describe(picture));
    this.panel.setAttribute('width', width - 2);
    this.panel.setAttribute('height', height - 2);
    this.drawing.replaceChildren(...shapes(picture));
    this.targets.replaceChildren();
  }

  // Offer legal moves; `choose` is called with the one that is chosen. `null` takes the offer back.
  offer(moves, choose, { onPoint = null } = {}) {
    this.moves = moves ?? [];
    this.choose = choose;
    this.onPoint = onPoint;
    this.first = null;
    this.cursor = null;
    this.paint();
  }

  at(row, column) {
    return this.moves.filter(move => move.cell && move.cell[0] === row && move.cell[1] === column);
  }

  paint() {
    this.targets.replaceChildren();
    if (!this.choose) return;
    if (this.first) {
      const [row, column] = this.first;
      this.targets.append(make('rect', { class: 'chosen', x: column * UNIT + 2, y: row * UNIT + 2, width: UNIT - 4, height: UNIT - 4, rx: 4 }));
      for (const move of this.at(row, column)) {
        const side = make('path', { class: 'side', d: sidePath(row, column, move.side), 'data-move': move.text });
        side.append(make('title', {}, `wall ${SIDE_NAMES[move.side]}`));
        this.targets.append(side);
      }
    } else {
      const seen = new Set();
      for (const { cell } of this.moves) {
        if (!cell || seen.has(String(cell))) continue;
        seen.add(String(cell));
        this.targets.append(make('circle', { class: 'target', cx: middle(...cell)[0], cy: middle(...cell)[1], r: 9 }));
      }
    }
    if (this.cursor) {
      const [row, column] = this.cursor;
      this.targets.append(make('rect', { class: 'cursor', x: column * UNIT + 3, y: row * UNIT + 3, width: UNIT - 6, height: UNIT - 6 }));
    }
  }

  clicked(event) {
    if (!this.choose) return;
    const wall = event.target.closest('[data-move]');
    if (wall) return this.decide(this.moves.find(move => move.text === wall.dataset.move));
    const cell = this.cellAt(event);
    if (cell) this.pick(...cell);
  }

  cellAt(event) {
    const matrix = this.frame.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const row = Math.floor(point.y / UNIT), column = Math.floor(point.x / UNIT);
    const inside = row >= 0 && column >= 0 && row < this.picture.rows && column < this.picture.columns;
    return inside ? [row, column] : null;
  }

  pick(row, column) {
    const here = this.at(row, column);
    if (!here.length) { this.first = null; this.paint(); return; }
    if (here.length === 1 && !here[0].side) return this.decide(here[0]);
    this.first = this.first && this.first[0] === row && this.first[1] === column ? null : [row, column];
    this.paint();
  }

  decide(move) {
    const choose = this.choose;
    this.choose = null;
    this.first = this.cursor = null;
    this.targets.replaceChildren();
    choose(move);
  }

  key(event) {
    if (!this.choose) return;
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const sides = { u: 'u', r: 'r', d: 'd', l: 'l', ArrowUp: 'u', ArrowRight: 'r', ArrowDown: 'd', ArrowLeft: 'l' };
    if (this.first && sides[event.key]) {
      const move = this.at(...this.first).find(one => one.side === sides[event.key]);
      if (move) this.decide(move);
    } else if (steps[event.key]) {
      const [down, right] = steps[event.key], [row, column] = this.cursor ?? this.moves[0]?.cell ?? [0, 0];
      this.cursor = this.cursor ? [Math.min(Math.max(row + down, 0), this.picture.rows - 1), Math.min(Math.max(column + right, 0), this.picture.columns - 1)] : [row, column];
      this.onPoint?.(this.cursor, this.at(...this.cursor));
      this.paint();
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor) {
      this.pick(...this.cursor);
    } else if (event.key === 'Escape' && this.first) {
      this.first = null;
      this.paint();
    } else {
      return;
    }
    event.preventDefault();
  }
}

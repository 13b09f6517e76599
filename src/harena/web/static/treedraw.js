// The tree of a search as textbooks draw it: from the top down, triangles that maximise and minimise, circles of chance
// with a probability on every edge, windows beside the nodes, and bars across the edges that were cut.
//
//   const drawing = new TreeDrawing(view);   // of a TreeView: what is open there is drawn, and opened here is open there
//   drawing.draw();

import { make } from './board.js';
import { element } from './dom.js';

const HALF = 17, TALL = 30, BOX = 24, LINE = 14, GAP = 14, EDGE = 16;
const LETTER = 7.4, STUB = 6; // pixels of a letter, rather too many, and of an edge before it slants
const LEAST_DROP = 34, MOST_DROP = 110, SLOPE = .14; // of the slanting part of the edges: wide families want more height
const SIGN = '×';
const NEIGHBOURS = { ArrowLeft: -1, ArrowRight: 1 };

const wide = text => LETTER * text.length;
const widest = texts => Math.max(0, ...texts.map(wide));

// A node on its way to a place: what it is, what is written at it, and what hangs below it.
function spot(item, level = 0) {
  const below = [...item.children].find(one => one.matches('[role=group]') && !one.hidden);
  const made = { item, level, x: 0, children: [...(below?.children ?? [])].map(one => spot(one, level + 1)), ...(item.node ? ofNode(item) : ofRest(item)) };
  made.half = made.inside === null ? HALF : Math.max(BOX, wide(made.inside) + 10) / 2;
  return made;
}

function ofNode({ node }) {
  const boxed = node.kind === 'leaf' || node.kind === 'end';
  const terms = node.terms ? `${node.terms.mean.toFixed(3)} + ${node.terms.exploration.toFixed(3)}` : '';
  const lines = [boxed ? '' : node.label, node.window && `[${node.window.replace(/^\[|\]$/g, '')}]`, node.visits === null ? '' : `n = ${node.visits.toLocaleString('en')}`, terms, node.note];
  const odds = node.probability === null ? '' : `${Number((100 * node.probability).toPrecision(3))} %`;
  return {
    kind: node.kind, inside: boxed ? node.label : null, lines: lines.filter(Boolean), onEdge: [node.move, odds].filter(Boolean),
    edge: node.best ? 'best' : 'plain', shape: node.player === 1 ? 'two' : 'one',
  };
}

// What stands for moves that are not there: cut off, never tried, or only not shown.
function ofRest({ told, all }) {
  if (all) return { kind: 'more', inside: `+${told.more}`, lines: ['more'], onEdge: [], edge: 'faint', shape: 'rest' };
  const untried = told.why === 'never tried';
  return { kind: untried ? 'untried' : 'cut', inside: `${SIGN}${told.moves.length}`, lines: [untried ? 'never tried' : told.why.split(':')[0]], onEdge: [], edge: untried ? 'faint' : 'pruned', shape: 'rest' };
}

// Every subtree gets a strip of its own; x counts from the parent's.
function arrange(one) {
  one.children.forEach(arrange);
  one.children.forEach((child, index) => {
    const before = one.children[index - 1];
    if (before) child.x = before.x + before.right + (before.children.length || child.children.length ? 2 : 1) * GAP + child.left;
  });
  const middle = (one.children.at(-1)?.x ?? 0) / 2;
  for (const child of one.children) child.x -= middle;
  const label = widest(one.onEdge) / 2 + 3, beside = widest(one.lines), open = one.children.length > 0;
  one.left = Math.max(one.half, label, open ? 0 : beside / 2, ...one.children.map(child => child.left - child.x));
  one.right = Math.max(one.half, label, open ? one.half + 5 + beside : beside / 2, ...one.children.map(child => child.x + child.right));
}

function settle(one, x, into) {
  one.x += x;
  into.push(one);
  for (const child of one.children) settle(Object.assign(child, { parent: one }), one.x, into);
  return into;
}

// Where each level begins: below the texts of the one above, with room for slanting edges and what is written on them.
function heights(spots) {
  const levels = [];
  for (const one of spots) (levels[one.level] ??= []).push(one);
  let y = EDGE;
  return levels.map((level, index) => {
    const open = level.filter(one => one.children.length);
    const foot = y + Math.max(TALL, ...open.map(one => LINE * one.lines.length)) + STUB;
    const fan = Math.max(0, ...open.map(one => Math.max(...one.children.map(child => Math.abs(child.x - one.x)))));
    const turn = foot + Math.min(MOST_DROP, Math.max(LEAST_DROP, SLOPE * fan));
    const written = LINE * Math.max(1, ...(levels[index + 1] ?? []).map(one => one.onEdge.length)) + 8;
    const found = { y, foot, turn };
    y = turn + written;
    return found;
  });
}

const SHAPES = {
  max: one => make('polygon', { class: one.shape, points: `0,0 ${HALF},${TALL} ${-HALF},${TALL}` }),
  min: one => make('polygon', { class: one.shape, points: `${-HALF},0 ${HALF},0 0,${TALL}` }),
  chance: () => make('circle', { class: 'dice', cy: TALL / 2, r: TALL / 2 }),
};
const boxed = one => make('rect', { class: { leaf: 'box', end: 'end' }[one.kind] ?? one.shape, x: -one.half, y: 0, width: 2 * one.half, height: BOX, rx: 4 });
const text = (name, x, y, words, start = false) => make('text', { class: start ? `${name} start` : name, x, y }, words);

export class TreeDrawing {
  constructor(view) {
    this.view = view;
    this.place = element('div', { class: 'tree-drawing' });
    this.svg = make('svg', { role: 'tree', 'aria-label': `The tree of ${view.asked.player}, drawn` });
    this.place.append(this.svg);
    for (const [kind, handle] of Object.entries({ click: this.click, keydown: this.key, mouseover: this.point, focusin: this.point })) this.svg.addEventListener(kind, event => handle.call(this, event));
  }

  // Draw what is open; whoever had the focus has it again.
  draw() {
    const root = this.view.tree.querySelector('[role=treeitem]');
    if (!root) return;
    const top = spot(root), held = this.svg.contains(document.activeElement);
    arrange(top);
    this.spots = settle(top, top.left + EDGE, []);
    const levels = heights(this.spots), bottom = Math.max(...this.spots.map(one => levels[one.level].y + TALL + LINE * (one.lines.length + 1)));
    const width = Math.ceil(top.left + top.right + 2 * EDGE), height = Math.ceil(bottom + EDGE);
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) this.svg.setAttribute(name, value);
    const edges = this.spots.filter(one => one.parent).map(one => this.edge(one, levels));
    this.svg.replaceChildren(...edges, ...this.spots.map(one => this.node(one, levels[one.level].y)));
    if (!this.current) this.place.scrollLeft = Math.min(top.x - this.place.clientWidth / 2, (top.children.find(one => one.edge === 'best') ?? top).x - 4 * HALF); // the root in the middle at first, if the best move is seen then
    const current = this.spots.find(one => one.item === this.current) ?? this.spots[0];
    this.take(current, held);
  }

  edge(one, levels) {
    const { foot, turn } = levels[one.level - 1], { y } = levels[one.level], from = one.parent.x;
    const begin = levels[one.level - 1].y + (one.parent.kind === 'leaf' ? BOX : TALL);
    const made = make('g', { class: 'edge', 'aria-hidden': 'true' }, make('path', { class: one.edge, d: `M${from} ${begin}V${foot}L${one.x} ${turn}V${y}` }));
    if (one.kind === 'cut') made.append(make('path', { class: 'bars', d: `M${one.x - 8} ${y - 13}h16M${one.x - 8} ${y - 8}h16` }));
    one.onEdge.forEach((words, line) => {
      const down = y - 7 - LINE * (one.onEdge.length - 1 - line), half = wide(words) / 2;
      made.append(make('rect', { class: 'halo', x: one.x - half, y: down - 11, width: 2 * half, height: LINE }), text(line ? 'odds' : 'move', one.x, down, words));
    });
    return made;
  }

  node(one, y) {
    const open = one.children.length > 0, shape = SHAPES[one.kind]?.(one) ?? boxed(one), { item } = one;
    const made = make('g', { class: `node ${one.kind}`, role: 'treeitem', tabindex: -1, transform: `translate(${one.x} ${y})`, 'data-kind': one.kind,
      'aria-level': one.level + 1, 'aria-label': item.getAttribute('aria-label') ?? item.textContent });
    if (item.hasAttribute('aria-expanded')) made.setAttribute('aria-expanded', open);
    made.append(make('rect', { class: 'around', x: -one.half - 4, y: -4, width: 2 * one.half + 8, height: (one.inside === null ? TALL : BOX) + 8, rx: 6 }), shape);
    if (one.inside !== null) made.append(text('value', 0, BOX / 2 + 5, one.inside));
    const first = one.inside === null && one.lines[0] === item.node?.label ? 0 : -1;
    one.lines.forEach((words, line) => {
      const name = line === first ? 'value' : 'small';
      made.append(open ? text(name, one.half + 5, 11 + LINE * line, words, true) : text(name, 0, (one.inside === null ? TALL : BOX) + LINE * (line + 1), words));
    });
    if (item.node?.opens && !open) made.append(text('small', 0, TALL + LINE * (one.lines.length + 1) - 2, '▾'));
    if (item.told?.moves) made.append(make('title', {}, `${item.told.moves.join(' ')}: ${item.told.why}`));
    made.spot = one;
    one.element = made;
    return made;
  }

  take(one, focus = true) {
    for (const each of this.spots) each.element.setAttribute('tabindex', each === one ? 0 : -1);
    this.current = one.item;
    if (!focus) return;
    one.element.focus({ preventScroll: true });
    one.element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  async act(one, wanted = undefined) {
    this.take(one);
    this.current = one.item.all ?? one.item; // where there is more, it is gone once it is shown
    await this.view.toggle(one.item, wanted);
  }

  click(event) {
    const one = event.target.closest('.node')?.spot;
    if (one) this.act(one);
  }

  point(event) {
    const one = event.target.closest('.node')?.spot;
    if (one?.item.node) this.view.preview(one.item);
  }

  key(event) {
    const one = event.target.closest('.node')?.spot;
    if (!one) return;
    const level = this.spots.filter(each => each.level === one.level).sort((left, right) => left.x - right.x);
    const actions = {
      ArrowUp: () => one.parent && this.take(one.parent),
      ArrowDown: () => one.children.length ? this.take(one.children[0]) : this.act(one, true),
      Home: () => this.take(this.spots[0]),
      Enter: () => this.act(one), ' ': () => this.act(one),
    };
    const beside = level[level.indexOf(one) + NEIGHBOURS[event.key]];
    if (!actions[event.key] && !NEIGHBOURS[event.key]) return;
    event.preventDefault();
    if (actions[event.key]) actions[event.key]();
    else if (beside) this.take(beside);
  }
}

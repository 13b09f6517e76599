// The tree of a search, opened node by node, with the keys of a tree: arrows, Home, End, Enter. It is an outline, or the
// same as a drawing.

import { announce, ask } from './asking.js';
import { Board, make } from './board.js';
import { TreeDrawing } from './treedraw.js';

const SHAPES = {
  max: player => make('polygon', { class: player === 1 ? 'two' : 'one', points: '11,2 20,19 2,19' }),
  min: player => make('polygon', { class: player === 1 ? 'two' : 'one', points: '11,20 20,3 2,3' }),
  chance: () => make('circle', { class: 'dice', cx: 11, cy: 11, r: 9 }),
  leaf: () => make('rect', { class: 'box', x: 3, y: 5, width: 16, height: 12 }),
  end: () => make('rect', { class: 'end', x: 3, y: 5, width: 16, height: 12 }),
};
const NAMES = { max: 'maximises', min: 'minimises', chance: 'chance', leaf: 'judged, not searched further', end: 'the game is over' };
const LEGEND = [['max', 'maximises'], ['min', 'minimises'], ['chance', 'chance'], ['leaf', 'judged'], ['end', 'game over']];

const shape = (kind, player) => make('svg', { class: 'shape', viewBox: '0 0 22 22', 'aria-hidden': 'true' }, SHAPES[kind](player));
const percent = share => `${Number((100 * share).toPrecision(3))} %`;

function tag(name, className = '', text = '') {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

export class TreeView {
  constructor(place, asked, answer) {
    this.asked = asked;
    this.deepest = answer.iterations === null; // searched anew, to a depth that can be chosen
    this.button = tag('button', '', 'Open the tree');
    this.button.type = 'button';
    this.button.addEventListener('click', () => this.begin());
    const line = tag('p', 'actions');
    line.append(this.button);
    if (this.deepest) {
      const label = tag('label', 'check', 'to depth '), input = document.createElement('input');
      Object.assign(input, { type: 'number', min: 1, max: 12, value: Math.max(1, Math.min(answer.depth ?? 1, 6)) });
      input.className = 'tree-depth';
      label.append(input);
      line.append(label);
      this.depth = input;
      if (answer.depth > Number(input.value)) line.append(tag('span', 'soft', `the search went to depth ${answer.depth}; its tree is grown anew, and a deep one takes long`));
    }
    this.busy = tag('p', 'growing');
    this.busy.append(tag('span', 'ring'), tag('span', '', 'growing the tree …'));
    this.busy.hidden = true;
    this.space = tag('div');
    this.error = tag('p', 'error');
    this.error.setAttribute('role', 'alert');
    this.error.hidden = true;
    const title = document.createElement('h3');
    title.textContent = 'Its tree';
    place.replaceChildren(title, line, this.busy, this.error, this.space);
  }

  async begin() {
    this.tree = tag('div', 'tree');
    this.tree.setAttribute('role', 'tree');
    this.tree.setAttribute('aria-label', `The tree of ${this.asked.player}`);
    const aside = tag('div', 'tree-board'), small = tag('div');
    this.words = tag('p', 'soft', 'the board of a node: point at it');
    aside.append(small, this.words);
    this.board = new Board(small);
    this.board.svg.removeAttribute('tabindex');
    const both = tag('div', 'tree-space');
    this.drawing = new TreeDrawing(this);
    both.append(this.tree, this.drawing.place, aside);
    const legend = tag('ul', 'legend');
    for (const [kind, words] of LEGEND) { const item = document.createElement('li'); item.append(shape(kind, 0), words); legend.append(item); }
    this.space.replaceChildren(this.choice(), legend, both);
    this.look(false);
    for (const [kind, handle] of [['keydown', this.key], ['click', this.click], ['mouseover', this.point], ['focusin', this.point]]) this.tree.addEventListener(kind, event => handle.call(this, event));
    const root = await this.fetch([]);
    if (!root) return;
    const item = this.item({ ...root, move: null }, []);
    this.tree.replaceChildren(item);
    this.grow(item, root);
    item.tabIndex = 0;
    this.redraw();
    this.preview(item);
    announce(`the tree is open: ${root.children.length} moves`);
  }

  // Outline or drawing.
  choice() {
    const group = tag('div', 'actions looks');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'How the tree is shown');
    this.looks = [[false, 'Outline'], [true, 'Drawing']].map(([drawn, words]) => {
      const button = tag('button', '', words);
      button.type = 'button';
      button.addEventListener('click', () => this.look(drawn));
      group.append(button);
      return button;
    });
    group.append(tag('span', 'soft', 'click a node to open it; in the drawing arrows lead up, down and sideways, Enter opens'));
    return group;
  }

  look(drawn) {
    this.looks.forEach((button, index) => button.setAttribute('aria-pressed', Boolean(index) === drawn));
    this.tree.hidden = drawn;
    this.drawing.place.hidden = !drawn;
    if (drawn) this.drawing.draw();
  }

  redraw() {
    if (!this.drawing.place.hidden) this.drawing.draw();
  }

  async fetch(path, width = 12) {
    this.error.hidden = true;
    this.tree.setAttribute('aria-busy', 'true');
    this.busy.hidden = false;
    this.button.disabled = true;
    try {
      const depth = this.depth ? Number(this.depth.value) || null : null;
      return await ask('/api/tree', { ...this.asked, path, width, depth });
    } catch (mistake) {
      this.error.textContent = mistake.message;
      this.error.hidden = false;
      return null;
    } finally {
      this.tree.removeAttribute('aria-busy');
      this.busy.hidden = true;
      this.button.disabled = false;
    }
  }

  item(node, path) {
    const item = tag('div'), row = tag('div', 'row');
    item.setAttribute('role', 'treeitem');
    item.setAttribute('aria-level', path.length + 1);
    item.setAttribute('aria-selected', 'false');
    item.tabIndex = -1;
    Object.assign(item, { node, path });
    if (node.best && path.length) item.classList.add('best');
    item.dataset.kind = node.kind;
    if (node.opens) item.setAttribute('aria-expanded', 'false');
    row.append(tag('span', 'twist', node.opens ? '▸' : ''));
    if (node.move) row.append(tag('span', 'move', node.move));
    if (node.probability !== null) row.append(tag('span', 'odds', percent(node.probability)));
    row.append(shape(node.kind, node.player), tag('span', 'label', node.label));
    for (const [name, words] of this.said(node)) row.append(tag('span', name, words));
    item.setAttribute('aria-label', this.inWords(node));
    item.append(row);
    return item;
  }

  said(node) {
    const said = [];
    if (node.window) said.push(['window', `αβ ${node.window}`]);
    if (node.visits !== null) said.push(['terms', `n = ${node.visits.toLocaleString('en')}`]);
    if (node.terms) said.push(['terms', `${node.terms.mean.toFixed(3)} + ${node.terms.exploration.toFixed(3)} = ${node.terms.bound.toFixed(3)}`]);
    if (node.note) said.push(['note', node.note]);
    return said;
  }

  inWords(node) {
    return [
      node.move, node.probability === null ? '' : `probability ${percent(node.probability)}`,
      node.player === null ? NAMES[node.kind] : `player ${node.player + 1} ${node.kind === 'leaf' ? 'to move, judged' : NAMES[node.kind]}`,
      node.label && `value ${node.label}`, node.window && `window ${node.window}`,
      node.visits === null ? '' : `${node.visits} visits`,
      node.terms ? `mean ${node.terms.mean.toFixed(3)} plus exploration ${node.terms.exploration.toFixed(3)}` : '', node.note,
    ].filter(Boolean).join(', ');
  }

  // Put the children of an opened node below it.
  grow(item, opened) {
    item.querySelector(':scope > [role=group]')?.remove();
    const group = tag('div');
    group.setAttribute('role', 'group');
    for (const child of opened.children) group.append(this.item(child, [...item.path, child.move]));
    if (opened.more) group.append(this.more(item, opened));
    if (opened.cut) group.append(this.cut(item, opened.cut));
    item.append(group);
    this.turn(item, true);
  }

  more(item, opened) {
    const more = tag('div', 'more'), row = tag('div', 'row', `… ${opened.more} more`);
    more.setAttribute('role', 'treeitem');
    more.setAttribute('aria-level', item.path.length + 2);
    more.tabIndex = -1;
    Object.assign(more, { path: [...item.path, ''], all: item, told: opened });
    more.append(row);
    return more;
  }

  cut(item, cut) {
    const made = tag('div', cut.why === 'never tried' ? 'cut untried' : 'cut'), row = tag('div', 'row'), moves = tag('span');
    for (const move of cut.moves.slice(0, 40)) moves.append(tag(cut.why === 'never tried' ? 'span' : 's', '', move), ' ');
    if (cut.moves.length > 40) moves.append(`and ${cut.moves.length - 40} more`);
    made.setAttribute('role', 'treeitem');
    made.setAttribute('aria-level', item.path.length + 2);
    const what = cut.why === 'never tried' ? 'never tried' : `cut off: ${cut.why}`;
    made.setAttribute('aria-label', `${cut.moves.length} moves ${what}`);
    made.tabIndex = -1;
    Object.assign(made, { path: [...item.path, ''], told: cut });
    row.append(tag('span', 'twist', cut.why === 'never tried' ? '' : '✂'), moves, tag('span', 'why', what));
    made.append(row);
    return made;
  }

  turn(item, open) {
    item.setAttribute('aria-expanded', open);
    item.querySelector('.twist').textContent = open ? '▾' : '▸';
    const group = item.querySelector(':scope > [role=group]');
    if (group) group.hidden = !open;
    this.redraw();
  }

  async toggle(item, wanted = item.getAttribute('aria-expanded') !== 'true') {
    if (item.all) {
      const opened = await this.fetch(item.all.path, 400);
      if (opened) { this.grow(item.all, opened); if (!this.tree.hidden) this.focus(item.all); }
      return;
    }
    if (!item.hasAttribute('aria-expanded')) return;
    if (wanted && !item.querySelector(':scope > [role=group]')) {
      const opened = await this.fetch(item.path);
      if (!opened) return;
      this.grow(item, opened);
      announce(`${opened.children.length} children${opened.cut ? `, ${opened.cut.moves.length} ${opened.cut.why === 'never tried' ? 'never tried' : 'cut off'}` : ''}`);
    } else this.turn(item, wanted);
  }

  get visible() {
    return [...this.tree.querySelectorAll('[role=treeitem]')].filter(item => !item.parentElement.closest('[role=group][hidden]'));
  }

  focus(item) {
    for (const one of this.tree.querySelectorAll('[role=treeitem][tabindex="0"]')) { one.tabIndex = -1; one.setAttribute('aria-selected', 'false'); }
    item.tabIndex = 0;
    item.setAttribute('aria-selected', 'true');
    item.focus({ preventScroll: false });
  }

  click(event) {
    const item = event.target.closest('[role=treeitem]');
    if (!item) return;
    this.focus(item);
    this.toggle(item);
  }

  point(event) {
    const item = event.target.closest('[role=treeitem]');
    if (item?.node) this.preview(item);
  }

  preview(item) {
    if (!item.node.picture) return;
    this.board.show(item.node.picture);
    this.words.textContent = item.path.length ? `after ${item.path.join(' ')}` : 'the position';
  }

  key(event) {
    const item = event.target.closest('[role=treeitem]');
    if (!item) return;
    const all = this.visible, at = all.indexOf(item), open = item.getAttribute('aria-expanded');
    const actions = {
      ArrowDown: () => all[at + 1] && this.focus(all[at + 1]),
      ArrowUp: () => all[at - 1] && this.focus(all[at - 1]),
      Home: () => this.focus(all[0]),
      End: () => this.focus(all.at(-1)),
      ArrowRight: () => open === 'true' ? all[at + 1] && this.focus(all[at + 1]) : this.toggle(item, true),
      ArrowLeft: () => {
        if (open === 'true') return this.toggle(item, false);
        const parent = item.parentElement.closest('[role=treeitem]');
        return parent && this.focus(parent);
      },
      Enter: () => this.toggle(item),
      ' ': () => this.toggle(item),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}

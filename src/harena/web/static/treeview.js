// The tree of a search, opened node by node, with the keys of a tree: arrows, Home, End, Enter. It is an outline, or the
// same as a drawing.

import { announce, ask } from './asking.js';
import { Board, make } from './board.js';
import { element } from './dom.js';
import { TreeDrawing } from './treedraw.js';

const SHAPES = {
  max: player => make('polygon', { class: player === 1 ? 'two' : 'one', points: '11,2 20,19 2,19' }),
  min: player => make('polygon', { class: player === 1 ? 'two' : 'one', points: '11,20 20,3 2,3' }),
  chance: () => make('circle', { class: 'dice', cx: 11, cy: 11, r: 9 }),
  leaf: () => make('rect', { class: 'box', x: 3, y: 5, width: 16, height: 12 }),
  end: () => make('rect', { class: 'end', x: 3, y: 5, width: 16, height: 12 }),
};
const NAMES = { max: 'maximises', min: 'minimises', chance: 'chance', leaf: 'judged, not searched further', end: 'the game is over' };
const LEGEND = [
  ['max', 'maximises', 'The player to move in the position: chooses the move with the highest value'],
  ['min', 'minimises', 'The other player: chooses the move with the lowest value'],
  ['chance', 'chance', 'Nobody chooses: the value is the mean of what may happen, by probability'],
  ['leaf', 'judged', 'Searched no further: its value is the guess of the heuristic'],
  ['end', 'game over', 'The rules ended the game: its value is exact'],
];

const shape = (kind, player) => make('svg', { class: 'shape', viewBox: '0 0 22 22', 'aria-hidden': 'true' }, SHAPES[kind](player));
const percent = share => `${Number((100 * share).toPrecision(3))} %`;

export class TreeView {
  constructor(place, asked, answer) {
    this.asked = asked;
    this.answer = answer;
    this.deepest = answer.iterations === null; // searched anew, to a depth that can be chosen
    this.aborter = new AbortController();
    this.button = element('button', { type: 'button' }, 'Open the tree');
    this.button.addEventListener('click', () => this.begin());
    const line = element('p', { class: 'actions' });
    line.append(this.button);
    if (this.deepest) {
      this.depth = element('input', { class: 'tree-depth', type: 'number', min: 1, max: 12, value: Math.max(1, Math.min(answer.depth ?? 1, 6)) });
      line.append(element('label', { class: 'check' }, 'to depth ', this.depth));
      if (answer.depth > Number(this.depth.value)) line.append(element('span', { class: 'soft' }, `the search went to depth ${answer.depth}; its tree is grown anew, and a deep one takes long`));
    }
    this.busy = element('p', { class: 'growing', hidden: '' }, element('span', { class: 'ring' }), element('span', {}, 'growing the tree …'));
    this.space = element('div');
    this.error = element('p', { class: 'error', role: 'alert', hidden: '' });
    place.replaceChildren(element('h3', {}, 'Its tree'), line, this.busy, this.error, this.space);
  }

  // Nobody looks at it any more: what is still growing stops, and makes room for other searches.
  close() {
    this.aborter.abort();
    this.aborter = new AbortController();
  }

  async begin() {
    this.tree = element('div', { class: 'tree', role: 'tree', 'aria-label': `The tree of ${this.asked.player}` });
    const aside = element('div', { class: 'tree-board' }), small = element('div');
    this.words = element('p', { class: 'soft' }, 'the board of a node: point at it');
    aside.append(small, this.words);
    this.board = new Board(small);
    this.board.svg.removeAttribute('tabindex');
    const both = element('div', { class: 'tree-space' });
    this.drawing = new TreeDrawing(this);
    both.append(this.tree, this.drawing.place, aside);
    this.legend = element('ul', { class: 'legend' });
    this.doubt = element('p', { class: 'doubt', hidden: '' });
    this.space.replaceChildren(this.choice(), this.legend, this.doubt, both);
    this.look(false);
    for (const [kind, handle] of Object.entries({ keydown: this.key, click: this.click, mouseover: this.point, focusin: this.point })) this.tree.addEventListener(kind, event => handle.call(this, event));
    const root = await this.fetch([]);
    if (!root) return;
    this.explain(root);
    const item = this.item({ ...root, move: null }, []);
    this.tree.replaceChildren(item);
    this.grow(item, root);
    item.tabIndex = 0;
    this.redraw();
    this.preview(item);
    announce(`the tree is open: ${root.children.length} moves`);
  }

  // What the shapes mean, in the colours that the players have here; and that a shallow tree may see things otherwise.
  explain(root) {
    const players = { max: root.player, min: 1 - root.player };
    this.legend.replaceChildren(...LEGEND.map(([kind, words, title]) => {
      const whose = kind in players ? `player ${players[kind] + 1} ${words}` : words;
      return element('li', { title }, shape(kind, players[kind] ?? 0), whose);
    }));
    const best = root.children.find(child => child.best)?.move;
    this.doubt.hidden = !this.deepest || !best || best === this.answer.move;
    if (!this.doubt.hidden) this.doubt.textContent = `Depth ${root.depth} only: it may prefer another move (here ${best}, the search ${this.answer.move}).`;
  }

  // Outline or drawing.
  choice() {
    const group = element('div', { class: 'actions looks', role: 'group', 'aria-label': 'How the tree is shown' });
    this.looks = [[false, 'Outline'], [true, 'Drawing']].map(([drawn, words]) => {
      const button = element('button', { type: 'button' }, words);
      button.addEventListener('click', () => this.look(drawn));
      group.append(button);
      return button;
    });
    group.append(element('span', { class: 'soft' }, 'click a node to open it; in the drawing arrows lead up, down and sideways, Enter opens'));
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
    const { signal } = this.aborter;
    this.error.hidden = true;
    this.tree.setAttribute('aria-busy', 'true');
    this.busy.hidden = false;
    this.button.disabled = true;
    try {
      const depth = this.depth ? Number(this.depth.value) || null : null;
      return await ask('/api/tree', { ...this.asked, path, width, depth }, 'POST', signal);
    } catch (mistake) {
      this.error.textContent = mistake.message;
      this.error.hidden = signal.aborted;
      return null;
    } finally {
      this.tree.removeAttribute('aria-busy');
      this.busy.hidden = true;
      this.button.disabled = false;
    }
  }

  item(node, path) {
    const row = element('div', { class: 'row' });
    const item = element('div', { role: 'treeitem', 'aria-level': path.length + 1, 'aria-selected': 'false', 'aria-label': this.inWords(node), tabindex: -1 }, row);
    Object.assign(item, { node, path });
    if (node.best && path.length) item.classList.add('best');
    item.dataset.kind = node.kind;
    if (node.opens) item.setAttribute('aria-expanded', 'false');
    row.append(element('span', { class: 'twist' }, node.opens ? '▸' : ''));
    if (node.move) row.append(element('span', { class: 'move' }, node.move));
    if (node.probability !== null) row.append(element('span', { class: 'odds' }, percent(node.probability)));
    row.append(shape(node.kind, node.player), element('span', { class: 'label' }, node.label));
    for (const [name, words] of this.said(node)) row.append(element('span', { class: name }, words));
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
    const group = element('div', { role: 'group' });
    for (const child of opened.children) group.append(this.item(child, [...item.path, child.move]));
    if (opened.more) group.append(this.more(item, opened));
    if (opened.cut) group.append(this.cut(item, opened.cut));
    item.append(group);
    this.turn(item, true);
  }

  more(item, opened) {
    const more = element('div', { class: 'more', role: 'treeitem', 'aria-level': item.path.length + 2, tabindex: -1 }, element('div', { class: 'row' }, `… ${opened.more} more`));
    return Object.assign(more, { path: [...item.path, ''], all: item, told: opened });
  }

  cut(item, cut) {
    const untried = cut.why === 'never tried', what = untried ? 'never tried' : `cut off: ${cut.why}`, moves = element('span');
    for (const move of cut.moves.slice(0, 40)) moves.append(element(untried ? 'span' : 's', {}, move), ' ');
    if (cut.moves.length > 40) moves.append(`and ${cut.moves.length - 40} more`);
    const made = element('div', { class: untried ? 'cut untried' : 'cut', role: 'treeitem', 'aria-level': item.path.length + 2, 'aria-label': `${cut.moves.length} moves ${what}`, tabindex: -1 },
      element('div', { class: 'row' }, element('span', { class: 'twist' }, untried ? '' : '✂'), moves, element('span', { class: 'why' }, what)));
    return Object.assign(made, { path: [...item.path, ''], told: cut });
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

// The page that shows what a search thinks: a position, one pane or two, and where they differ.

import { announce, askPosition, byId } from './asking.js';
import { element } from './dom.js';
import { Pane } from './pane.js';

const COMPARED = 8; // best moves of each that the comparison lists
const given = JSON.parse(byId('given').textContent);

// The moves with their ranks; equals share one.
function ranked(answer) {
  let rank = 0;
  return new Map(answer.root.map((row, index) => {
    const before = answer.root[index - 1];
    if (!before || before.label !== row.label || before.verdict !== row.verdict || before.visits !== row.visits) rank = index + 1;
    return [row.move, { ...row, rank }];
  }));
}

class Page {
  constructor() {
    this.acts = given.acts;
    this.panes = [new Pane(this.acts ? 'What it thinks' : 'The position', this)];
    byId('placing').addEventListener('submit', event => { event.preventDefault(); this.place(byId('game').value, byId('position').value); });
    byId('game').addEventListener('change', () => this.place(byId('game').value, ''));
    byId('fresh').addEventListener('click', () => this.place(byId('game').value, ''));
    byId('second').addEventListener('click', () => (this.panes.length === 1 ? this.split('') : this.join()));
    byId('analyse-both').addEventListener('click', () => this.analyseBoth());
    document.addEventListener('keydown', event => this.escape(event));
    window.addEventListener('popstate', () => {
      const asked = new URLSearchParams(location.search);
      this.place(asked.get('game') ?? this.state.game, asked.get('position') ?? '');
    });
    this.offer(given.state.game, given.player || 'champion');
    this.show(given.state);
    if (given.other) this.split(given.other);
  }

  offer(game, first, second = '') {
    this.panes.forEach((pane, index) => pane.players.offer(given.choices[game], index ? second || this.rival(game) : first));
    this.offered = game;
  }

  // Somebody worth comparing the champion with.
  rival(game) { return given.choices[game].algorithms.mcts ? 'mcts' : Object.keys(given.choices[game].players)[0]; }

  split(text) {
    const second = new Pane('Second search', this);
    this.panes.push(second);
    this.panes[0].name('First search');
    second.players.offer(given.choices[this.state.game], text || this.rival(this.state.game));
    second.show(this.state);
    this.arrange();
    this.remember();
    announce('two searches side by side');
  }

  join() {
    this.panes.pop().abandon();
    this.panes[0].name('What it thinks');
    this.arrange();
    this.remember();
    this.compare();
  }

  // Both think about one position: the one that somebody looks at, if anybody looks ahead.
  async analyseBoth() {
    const ahead = this.panes.find(pane => pane.shown);
    if (ahead && !(await ahead.goOn())) return;
    for (const pane of this.panes) pane.analyse();
  }

  // Escape leads back from a look ahead: in the pane where it was pressed, or wherever somebody looks.
  escape(event) {
    if (event.key !== 'Escape' || event.defaultPrevented || event.target.closest('input, select, textarea')) return;
    const here = this.panes.filter(pane => pane.element.contains(event.target));
    for (const pane of here.length ? here : this.panes) pane.back();
  }

  arrange() {
    byId('panes').className = `panes ${this.panes.length === 1 ? 'single' : 'double'}`;
    byId('panes').replaceChildren(...this.panes.map(pane => pane.element));
    byId('second').setAttribute('aria-pressed', this.panes.length === 2);
    byId('analyse-both').hidden = this.panes.length === 1 || !this.acts || this.state.over;
  }

  // Another position, checked by the server; an empty text is the start of the game. The browser's own "back" leads back
  // from what was a step `onwards`. Returns whether it is there.
  async place(game, text, moves = [], onwards = moves.length > 0) {
    byId('mistake').hidden = true;
    try {
      const state = await askPosition({ game, text, moves });
      if (game !== this.offered) this.offer(game, 'champion');
      if (onwards) history.pushState(null, '', location.href);
      this.show(state);
      return true;
    } catch (mistake) {
      byId('mistake').textContent = mistake.message;
      byId('mistake').hidden = false;
      return false;
    }
  }

  show(state) {
    this.state = state;
    byId('game').value = state.game;
    byId('position').value = state.position;
    byId('edit').href = `/editor?${new URLSearchParams({ game: state.game, position: state.position })}`;
    this.remember();
    for (const pane of this.panes) pane.show(state);
    this.arrange();
    this.compare();
  }

  // The address leads here again: to the position, and to whoever is asked about it.
  remember() {
    const [player, other] = this.panes.map(pane => pane.players.text), { game, position } = this.state;
    const query = new URLSearchParams({ game, position, ...(player === 'champion' ? {} : { player }), ...(other ? { other } : {}) });
    history.replaceState(null, '', `/understand?${query}`);
  }

  // What the two say about the same moves.
  compare() {
    const [first, second] = this.panes.map(pane => pane.answer);
    byId('differences').hidden = !(first && second);
    if (!first || !second) return;
    const words = byId('agreement'), agree = first.move === second.move;
    const parted = first.line.findIndex((step, index) => second.line[index]?.move !== step.move);
    const common = parted < 0 ? Math.min(first.line.length, second.line.length) : parted;
    words.className = agree ? 'agree' : 'differ';
    words.textContent = agree
      ? `Both play ${first.move}; their lines have ${common} ${common === 1 ? 'move' : 'moves'} in common.`
      : `They differ: ${first.player} plays ${first.move}, ${second.player} plays ${second.move}.`;
    const [one, two] = [ranked(first), ranked(second)];
    const moves = [...new Set([...first.root.slice(0, COMPARED), ...second.root.slice(0, COMPARED)].map(row => row.move))];
    const table = element('table', { id: 'both' }), top = table.createTHead().insertRow(), body = table.createTBody();
    for (const title of ['move', `${first.player}: rank`, `${second.player}: rank`, 'difference']) top.append(element('th', { scope: 'col' }, title));
    for (const move of moves) {
      const row = body.insertRow(), [mine, other] = [one.get(move), two.get(move)];
      const apart = mine && other ? mine.rank - other.rank : null;
      row.classList.toggle('differs', apart === null || Math.abs(apart) >= 3);
      const cells = [mine, other].map(found => (found ? `${found.rank}. (${found.verdict ?? (found.expected || found.label)})` : '–'));
      row.append(element('th', { scope: 'row' }, move), ...cells.map(text => element('td', {}, text)), element('td', {}, apart === null ? '' : apart === 0 ? 'same' : apart > 0 ? `second likes it more, by ${apart}` : `first likes it more, by ${-apart}`));
    }
    byId('both').replaceWith(table);
  }
}

new Page();

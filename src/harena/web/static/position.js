// A position as the editor holds it: what is where, whose turn it is; to and from the texts of the four games.
//
//   rows, columns, cells ("row,column" to a symbol of the text), walls ("row,column,r" or "...,d"), player ("1" or "2"),
//   colour ("R" or "B", tiles), stage ("walk", "aim" or "@c4") and turns (Trap!)

import { cellName } from './board.js';

const HOLDS = { 1: 'player 1', 2: 'player 2', R: 'red', B: 'blue', X: 'gap' };
export const TOOLS = {
  trap: [['1', 'Player 1'], ['2', 'Player 2'], ['x', 'Trap'], ['.', 'Empty'], ['@', 'Throw in the air']],
  colosseum: [['1', 'Player 1'], ['2', 'Player 2'], ['|', 'Wall']],
  isolation: [['1', 'Player 1'], ['2', 'Player 2'], ['x', 'Visited'], ['.', 'Empty']],
  tiles: [['R', 'Red tile'], ['B', 'Blue tile'], ['X', 'Empty']],
};
const EMPTY = { trap: '.', colosseum: '.', isolation: '.', tiles: 'X' };

function readCell(text) {
  const found = /^([a-l])(\d{1,2})$/.exec(text);
  return found ? [Number(found[2]) - 1, found[1].charCodeAt(0) - 97] : null;
}

export class Position {
  // From a text that the server has written.
  constructor(game, text) {
    this.game = game;
    this.cells = new Map();
    this.walls = new Set();
    this.colour = this.player = this.stage = this.turns = undefined;
    const parts = text.split(' ');
    if (game === 'colosseum') this.readWalls(parts); else this.readRows(parts);
  }

  readRows([board, ...rest]) {
    const rows = board.split('/');
    [this.rows, this.columns] = [rows.length, rows[0].length];
    rows.forEach((row, down) => [...row].forEach((symbol, right) => { if (symbol !== '.') this.cells.set(`${down},${right}`, symbol); }));
    if (this.game === 'tiles') [this.colour, this.player] = rest;
    else [this.player, this.stage, this.turns] = rest;
  }

  readWalls([size, first, second, player, walls]) {
    this.rows = this.columns = Number(size);
    this.player = player;
    this.cells.set(readCell(first).join(), '1');
    this.cells.set(readCell(second).join(), '2');
    for (const wall of walls === '-' ? [] : walls.split(',')) this.walls.add(`${readCell(wall.slice(0, -1)).join()},${wall.at(-1)}`);
  }

  symbol(row, column) { return this.cells.get(`${row},${column}`) ?? EMPTY[this.game]; }

  where(symbol) {
    const found = [...this.cells].find(([, holds]) => holds === symbol);
    return found ? found[0].split(',').map(Number) : null;
  }

  get text() {
    if (this.game === 'colosseum') return this.wallText;
    const lines = Array.from({ length: this.rows }, (_, row) => Array.from({ length: this.columns }, (_, column) => this.symbol(row, column)).join('')).join('/');
    if (this.game === 'tiles') return `${lines} ${this.colour} ${this.player}`;
    return this.game === 'trap' ? `${lines} ${this.player} ${this.stage} ${this.turns}` : `${lines} ${this.player}`;
  }

  get wallText() {
    const place = symbol => { const cell = this.where(symbol); return cell ? cellName(...cell) : '?'; };
    const walls = [...this.walls].map(wall => wall.split(',')).sort((one, other) => one[0] - other[0] || one[1] - other[1] || (one[2] < other[2] ? 1 : -1));
    const listed = walls.map(([row, column, side]) => cellName(Number(row), Number(column)) + side).join(',');
    return `${this.rows} ${place('1')} ${place('2')} ${this.player} ${listed || '-'}`;
  }

  // What the board draws.
  get picture() {
    const cells = [];
    for (let row = 0; row < this.rows; row++) for (let column = 0; column < this.columns; column++) {
      const symbol = this.symbol(row, column), holds = symbol === 'x' ? (this.game === 'trap' ? 'trap' : 'blocked') : HOLDS[symbol];
      if (holds) cells.push([row, column, holds]);
    }
    const aim = this.stage?.startsWith('@') ? readCell(this.stage.slice(1)) : null;
    return {
      rows: this.rows, columns: this.columns, cells, caption: '', heat: [], new_wall: null,
      marks: aim ? [[...aim, ['aimed at']]] : [],
      walls: this.game === 'colosseum' ? [...this.walls].map(wall => { const [row, column, side] = wall.split(','); return [Number(row), Number(column), side]; }) : null,
    };
  }

  // Put something on a cell; where it is already, take it away. A player who stands elsewhere moves here.
  put(symbol, row, column) {
    const key = `${row},${column}`, empty = EMPTY[this.game];
    if (symbol === '@') {
      const stage = `@${cellName(row, column)}`;
      this.stage = this.stage === stage ? 'aim' : stage;
      return;
    }
    const same = this.symbol(row, column) === symbol;
    if (this.game === 'colosseum' && (same || /[12]/.test(this.symbol(row, column)))) return; // both always stand somewhere
    if (symbol === '1' || symbol === '2') {
      const before = this.where(symbol);
      if (before) this.cells.delete(before.join());
    }
    if (same || symbol === empty) this.cells.delete(key); else this.cells.set(key, symbol);
  }

  isEmpty(row, column) { return this.symbol(row, column) === EMPTY[this.game]; }

  // The key of the wall on a side (u r d l) of a cell; null for the border, which stays as it is.
  wallKey(row, column, side) {
    const [down, right, kind] = side === 'u' ? [row - 1, column, 'd'] : side === 'l' ? [row, column - 1, 'r'] : [row, column, side];
    const border = down < 0 || right < 0 || (kind === 'r' && right === this.columns - 1) || (kind === 'd' && down === this.rows - 1);
    return border ? null : `${down},${right},${kind}`;
  }

  hasWall(row, column, side) { return this.walls.has(this.wallKey(row, column, side)); }

  // Build a wall or take it away; returns whether that has changed anything.
  setWall(row, column, side, standing) {
    const key = this.wallKey(row, column, side);
    if (key === null || this.walls.has(key) === standing) return false;
    if (standing) this.walls.add(key); else this.walls.delete(key);
    return true;
  }

  turnWall(row, column, side) { this.setWall(row, column, side, !this.hasWall(row, column, side)); }

  // Another size: what no longer fits is gone; of colosseum's players, to the nearest cell that is free.
  resize(rows, columns) {
    const moved = [...this.cells].filter(([, holds]) => this.game === 'colosseum' && /[12]/.test(holds));
    [this.rows, this.columns] = [rows, columns];
    const inside = key => { const [row, column] = key.split(',').map(Number); return row < rows && column < columns; };
    for (const key of [...this.cells.keys()]) if (!inside(key)) this.cells.delete(key);
    for (const wall of [...this.walls]) {
      const [row, column, side] = wall.split(',');
      if (!inside(wall) || (side === 'r' && Number(column) === columns - 1) || (side === 'd' && Number(row) === rows - 1)) this.walls.delete(wall);
    }
    for (const [key, holds] of moved) {
      if (inside(key)) continue;
      let [row, column] = key.split(',').map(Number);
      [row, column] = [Math.min(row, rows - 1), Math.min(column, columns - 1)];
      while (this.cells.has(`${row},${column}`)) column = (column + columns - 1) % columns;
      this.cells.set(`${row},${column}`, holds);
    }
    const aim = this.stage?.startsWith('@') ? readCell(this.stage.slice(1)) : null;
    if (aim && !inside(aim.join())) this.stage = 'aim';
  }

  clear() {
    this.walls.clear();
    for (const [key, holds] of [...this.cells]) if (this.game === 'tiles' || this.game === 'isolation' || !/[12]/.test(holds)) this.cells.delete(key);
  }
}

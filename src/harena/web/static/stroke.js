// Painting on the editor's board: a press, all it is drawn over, and the release. A press alone is a click.
//
//   const stroke = new Stroke(editor.position, symbol, point);   // points in units of the board, as Board.pointAt gives them
//   stroke.to(point);                                            // returns whether something has changed
//   stroke.end();
//
// What the first cell (or side) gets, all others get: what is there already is taken away everywhere, else put everywhere.
// Of a player and of a throw there is one, so it goes along.

import { UNIT } from './board.js';

const SINGLE = '12@';
const NEAR = .28; // of a cell: how far from a side somebody is who draws along it
const STEP = .2; // of a cell, between two places that are looked at

const insideOf = (position, [row, column]) => row >= 0 && column >= 0 && row < position.rows && column < position.columns;

// The side of its cell that a place is nearest to, and whether somebody who draws along sides would mean it.
export function sideAt(point) {
  const [x, y] = [point.x / UNIT, point.y / UNIT], [row, column] = [Math.floor(y), Math.floor(x)];
  const far = { u: y - row, d: row + 1 - y, l: x - column, r: column + 1 - x };
  const [side, next] = Object.keys(far).sort((one, other) => far[one] - far[other]);
  return { row, column, side, along: far[side] < NEAR && far[next] >= NEAR };
}

export class Stroke {
  constructor(position, symbol, point) {
    this.position = position;
    this.symbol = symbol;
    this.last = point;
    this.moved = false;
    this.cell = this.cellAt(point);
    if (symbol === '|') {
      const { row, column, side } = sideAt(point);
      this.building = !position.hasWall(row, column, side);
      position.setWall(row, column, side, this.building);
    } else if (!SINGLE.includes(symbol)) {
      this.placing = position.symbol(...this.cell) !== symbol || position.isEmpty(...this.cell);
      this.paint(this.cell);
    }
  }

  /** @returns {[number, number]} */
  cellAt(point) {
    return [Math.floor(point.y / UNIT), Math.floor(point.x / UNIT)];
  }

  // On to another place, over all that lies between.
  to(point) {
    const { last } = this, far = Math.hypot(point.x - last.x, point.y - last.y), steps = Math.max(1, Math.ceil(far / (STEP * UNIT)));
    let changed = false;
    for (let step = 1; step <= steps; step++) {
      const between = { x: last.x + (point.x - last.x) * step / steps, y: last.y + (point.y - last.y) * step / steps };
      if (insideOf(this.position, this.cellAt(between))) changed = this.over(between) || changed;
    }
    this.last = point;
    return changed;
  }

  over(point) {
    if (this.symbol === '|') {
      const { row, column, side, along } = sideAt(point);
      return along && this.position.setWall(row, column, side, this.building);
    }
    const cell = this.cellAt(point);
    if (String(cell) === String(this.cell)) return false;
    this.cell = cell;
    this.moved = true;
    if (!SINGLE.includes(this.symbol)) return this.paint(cell);
    this.position.put(this.symbol, ...cell);
    return true;
  }

  paint(cell) {
    if ((this.position.symbol(...cell) === this.symbol) === this.placing) return false;
    this.position.put(this.symbol, ...cell);
    return true;
  }

  end() {
    if (SINGLE.includes(this.symbol) && !this.moved) this.position.put(this.symbol, ...this.cell);
  }
}

// Where one can walk on a board with walls. No page, no network.

// Every cell that can be reached from one, the nearest first: "row,column" to the cell, and the one before it on the way.
export function reached({ rows, columns, walls, new_wall: last }, from) {
  const shut = new Set([...(walls ?? []), ...(last ? [last] : [])].map(String)), found = new Map([[`${from[0]},${from[1]}`, { cell: from, before: null }]]);
  for (const { cell } of found.values()) {
    const [row, column] = cell;
    const around = [[row - 1, column, `${row - 1},${column},d`], [row + 1, column, `${row},${column},d`], [row, column - 1, `${row},${column - 1},r`], [row, column + 1, `${row},${column},r`]];
    for (const [down, right, wall] of around) {
      const key = `${down},${right}`, inside = down >= 0 && right >= 0 && down < rows && right < columns;
      if (inside && !shut.has(wall) && !found.has(key)) found.set(key, { cell: [down, right], before: cell });
    }
  }
  return found;
}

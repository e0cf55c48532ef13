/**
 * The page's only script: sorts the fleet's table by a column and filters it by verdict. It moves and hides rows that are
 * there and writes nothing but numbers and its own words; without it the page lacks only the buttons.
 */
export const SCRIPT = `
'use strict';
(() => {
  const table = document.getElementById('fleet-table');
  const choices = document.getElementById('fleet-choices');
  const status = document.getElementById('fleet-status');
  if (!table || !choices || !status) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const heads = Array.from(table.tHead.rows[0].cells);
  const key = (row, column) => row.cells[column].dataset.key || '';
  const compare = (a, b) => (isNaN(a) || isNaN(b) || a === '' || b === '' ? (a < b ? -1 : a > b ? 1 : 0) : a - b);
  const say = (text) => { status.textContent = text; };

  const sortBy = (column) => {
    const head = heads[column];
    const up = head.getAttribute('aria-sort') !== 'ascending';
    heads.forEach((each) => each.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const sorted = rows.slice().sort((a, b) => (up ? 1 : -1) * compare(key(a, column), key(b, column)));
    body.append(...sorted);
    say('Sorted by ' + head.textContent.trim().toLowerCase() + (up ? ', ascending.' : ', descending.'));
  };
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    button.addEventListener('click', () => sortBy(column));
    head.append(button);
  });
  table.classList.add('sortable');

  const boxes = Array.from(choices.querySelectorAll('input'));
  const filter = () => {
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    rows.forEach((row) => { row.hidden = !wanted.has(row.dataset.state); });
    const shown = rows.filter((row) => !row.hidden).length;
    say(shown + ' of ' + rows.length + (rows.length === 1 ? ' row shown.' : ' rows shown.'));
  };
  boxes.forEach((box) => box.addEventListener('change', filter));
  choices.hidden = false;
  if (boxes.some((box) => !box.checked)) filter();
})();
`

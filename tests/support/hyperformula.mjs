// Computes workbooks with HyperFormula: {books: [{sheets: {name: rows}, edits, stored}], language}.
// `edits` are lists of cells [sheet, row, column, content], from 0; on stdout stands, for each list,
// what all cells show while they are typed in. `language` is "en" or "de": how formulas are written,
// with HyperFormula's own names of functions.
// What it lacks is added as Excel documents it: RANK, FIXED, ROUND as half away from zero of the
// 15-digit number, COUNTBLANK also of empty texts. Argument: the folder that has node_modules.
import { createRequire } from 'node:module';
import fs from 'node:fs';

const require = createRequire(process.argv[2] + '/');
const { HyperFormula, DetailedCellError, FunctionPlugin, FunctionArgumentType: Kind } =
  require('hyperformula');
const { books, language } = JSON.parse(fs.readFileSync(0, 'utf8'));
const german = language === 'de';

function rounded(x, digits) {
  if (!Number.isFinite(x) || x === 0) return x;
  const [mantissa, power] = Math.abs(x).toPrecision(15).split('e');
  const shifted = Math.round(Number(`${mantissa}e${Number(power ?? 0) + digits}`));
  return Math.sign(x) * Number(`${shifted}e${-digits}`) + 0;
}

class Added extends FunctionPlugin {
  round(ast, state) {
    return this.runFunction(ast.args, state, this.metadata('ROUND'), rounded);
  }
  fixed(ast, state) {
    return this.runFunction(ast.args, state, this.metadata('FIXED'), (x, digits) =>
      rounded(x, digits).toFixed(digits).replace('.', german ? ',' : '.'));
  }
  rank(ast, state) {
    return this.runFunction(ast.args, state, this.metadata('RANK'), (x, range) =>
      1 + range.rawData().flat().filter((y) => typeof y === 'number' && y > x).length);
  }
  blank(ast, state) {
    return this.runFunction(ast.args, state, this.metadata('COUNTBLANK'), (range) =>
      range.rawData().flat().filter((x) => x === '' || typeof x === 'symbol').length);
  }
}
const [number, range, truth] =
  [Kind.NUMBER, Kind.RANGE, Kind.BOOLEAN].map((argumentType) => ({ argumentType }));
Added.implementedFunctions = {
  ROUND: { method: 'round', parameters: [number, { ...number, defaultValue: 0 }] },
  FIXED: { method: 'fixed', parameters: [number, number, { ...truth, defaultValue: false }] },
  RANK: { method: 'rank', parameters: [number, range] },
  COUNTBLANK: { method: 'blank', parameters: [range] },
};
HyperFormula.registerLanguage('deDE', require('hyperformula/i18n/languages').deDE);
HyperFormula.registerFunctionPlugin(Added, {
  enGB: { FIXED: 'FIXED', RANK: 'RANK' }, deDE: { FIXED: 'FEST', RANK: 'RANG' },
});

function spelled(formula) {
  const parts = formula.split(/("(?:[^"]|"")*")/);
  return parts
    .map((part, k) => (k % 2 ? part : part
      .replace(/(\d)E([-+]?\d)/g, '$1e$2')
      .replace(/\b(TRUE|FALSE)\b(?!\()/g, '$1()')))
    .join('');
}

const spelling = german
  ? { functionArgSeparator: ';', decimalSeparator: ',', language: 'deDE' } : { language: 'enGB' };
const settings = {
  licenseKey: 'gpl-v3', useArrayArithmetic: true, smartRounding: true,
  precisionEpsilon: 1e-13, precisionRounding: 14, evaluateNullToZero: true, maxRows: 200000,
  ignoreWhitespace: 'any', matchWholeCell: true, useWildcards: true, accentSensitive: true,
};
const said = (x) => (x instanceof DetailedCellError ? { error: x.value, why: x.message } : x);

// Sheets as a German program shows them that opens a file.
function opened(sheets) {
  const book = HyperFormula.buildFromSheets(sheets, { ...settings, language: 'enGB' });
  book.updateConfig({ language: 'deDE' });
  const outside = (part) => part.replaceAll(',', ';').replace(/(\d)\.(?=\d)/g, '$1,');
  const translated = (x) => (typeof x !== 'string' || !x.startsWith('=') ? x
    : x.split(/("(?:[^"]|"")*"|'(?:[^']|'')*')/).map((p, k) => (k % 2 ? p : outside(p))).join(''));
  const shown = book.getAllSheetsSerialized();
  return Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, rows.map((row, r) =>
    row.map((x, k) => (typeof x === 'string' && x.startsWith('=') ? translated(shown[name][r][k]) : x)))]));
}

// `stored`: the formulas are as they stand in a file, whatever the language of the program.
function computed({ sheets, edits, stored }) {
  for (const rows of Object.values(sheets))
    for (const row of rows)
      row.forEach((x, k) => {
        if (typeof x === 'string' && x.startsWith('=')) row[k] = spelled(x);
      });
  if (stored && german) for (const [name, rows] of Object.entries(opened(sheets))) sheets[name] = rows;
  const book = HyperFormula.buildFromSheets(sheets, { ...settings, ...spelling });
  const type = (name, row, col, content) =>
    book.setCellContents({ sheet: book.getSheetId(name), row, col }, [[content]]);
  return edits.map((cells) => {
    cells.forEach(([name, row, col, content]) => type(name, row, col, content));
    const found = Object.fromEntries(book.getSheetNames().map((name) =>
      [name, book.getSheetValues(book.getSheetId(name)).map((row) => row.map(said))]));
    cells.forEach(([name, row, col]) => type(name, row, col, sheets[name][row]?.[col] ?? null));
    return found;
  });
}
process.stdout.write(JSON.stringify(books.map(computed)));

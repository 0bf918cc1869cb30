import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { bookingMoves } from '../../../shared/domain/booking/booking.rules.ts';
import { sourceFiles, sourceOf } from '../../support/sources.ts';
import { accepted } from './accepted.ts';
import { reviewed } from './reviewed.ts';
import { instrument, type Site } from './sites.ts';
import { findSites, isChosen } from './sources.ts';
import { mutants } from './switch.ts';

const sites = findSites();

const idsOf = (file: string, text: string): string[] => instrument(file, text).sites.map(({ id }) => id);

/** Lines with the condition of a write, as a search of the text finds them: not predicates of indexes and of zod. */
const conditionLines = (file: string): number[] =>
  sourceOf(file)
    .split('\n')
    .flatMap((line, at) =>
      /^[^*/'"`]*\bwhen(: (?!\{|\(|Condition)|[ ,}])/.test(line) && !/['`].*\bwhen\b.*['`]/.test(line)
        ? [at + 1]
        : [],
    );

describe('the mutants of the product', () => {
  it('have an id each', () => {
    expect(new Set(sites.map(({ id }) => id)).size).toBe(sites.length);
  });

  it('include one for the condition of every write', () => {
    const without: string[] = [];
    let count = 0;
    for (const file of sourceFiles(['shared', 'functions'])) {
      const found = sites.filter((site: Site) => site.file === file && site.kind === 'when');
      for (const line of conditionLines(file)) {
        // The table layer passes conditions on.
        if (file.startsWith('shared/platform/table/')) continue;
        // `change` itself requires that the item is present.
        if (/change\(.*when: present\(\)/.test(sourceOf(file).split('\n')[line - 1] ?? '')) continue;
        count += 1;
        if (!found.some((site) => site.line >= line && site.line <= line + 4))
          without.push(`${file}:${line}`);
      }
    }
    expect(without).toEqual([]);
    expect(count).toBeGreaterThan(80);
  });

  it('include every state from which a move is allowed', () => {
    const moved = sites.filter(({ kind, file }) => kind === 'move' && file.endsWith('booking.rules.ts'));
    expect(moved).toHaveLength(Object.values(bookingMoves).flatMap(({ from }) => [...from]).length);
  });

  it('leave the code of every source valid', () => {
    for (const file of sourceFiles(['shared'])) {
      const { code } = instrument(file, sourceOf(file));
      const parsed = ts.createSourceFile(file, code, ts.ScriptTarget.Latest) as {
        parseDiagnostics?: unknown;
      };
      expect(parsed.parseDiagnostics, file).toEqual([]);
    }
  }, 60_000);

  it('that are accepted exist, once, and have a reason', () => {
    const ids = new Set(sites.map(({ id }) => id));
    expect(accepted.filter(({ site }) => !ids.has(site))).toEqual([]);
    expect(new Set(accepted.map(({ site }) => site)).size).toBe(accepted.length);
    expect(accepted.filter(({ reason }) => reason.length < 20)).toEqual([]);
  });
});

describe('the choice of mutants', () => {
  const kindsOf = (only?: string) => new Set(sites.filter(isChosen(only)).map(({ kind }) => kind));

  it('leaves out the kinds that are not closed unless they are named', () => {
    expect([...kindsOf()].sort()).toEqual(['create', 'limit', 'money', 'move', 'when']);
    expect([...kindsOf('guard,branch')].sort()).toEqual(['branch', 'guard']);
  });

  it('takes a text that names no kind as part of an id, of any kind', () => {
    const found = sites.filter(isChosen('platform/money'));
    expect(new Set(found.map(({ file }) => file))).toEqual(new Set(['shared/platform/money.ts']));
    expect(new Set(found.map(({ kind }) => kind))).toContain('branch');
  });
});

describe('what reviews have planted', () => {
  it.each(reviewed)('$name: has a mutant or a test', ({ mutants: ids = [], test }) => {
    expect(ids.filter((id) => !sites.some((site) => site.id === id))).toEqual([]);
    if (test) expect(sourceOf(test.file)).toContain(test.name);
    expect(ids.length > 0 || test !== undefined).toBe(true);
  });
});

describe('the rules', () => {
  const imports = "import { absent, all, any, create, equals, put } from '../../platform/table/index.ts';\n";

  it('drop each call of a function of the file that returns a condition', () => {
    const code =
      'const same = (day: string): Condition => equals(day, 1);\nconst mine = days.map((day) => same(day));';
    expect(idsOf('shared/domain/chat/a.ts', imports + code)).toEqual([
      'shared/domain/chat/a.ts same: equals(day, 1) → always',
      'shared/domain/chat/a.ts mine: same(day) → always',
    ]);
  });

  it('drop each operand of a condition alone', () => {
    const code = `${imports}put(E, item, { when: all(equals('a', 1), isMine(item)) });`;
    expect(idsOf('shared/domain/chat/a.ts', code)).toEqual([
      "shared/domain/chat/a.ts : equals('a', 1) → always",
      'shared/domain/chat/a.ts : isMine(item) → always',
      "shared/domain/chat/a.ts : all(equals('a', 1), isMine(item)) → always",
    ]);
    expect(
      idsOf('shared/domain/chat/a.ts', `${imports}put(E, item, { when: any(absent(), mine) });`),
    ).toEqual([
      'shared/domain/chat/a.ts : absent() → never',
      'shared/domain/chat/a.ts : mine → never',
      'shared/domain/chat/a.ts : any(absent(), mine) → always',
    ]);
  });

  it('let an item overwrite another one, also where `create` is a value', () => {
    const code = `${imports}const made = [create(E, item), (isNew ? create : put)(E, item)];`;
    expect(idsOf('shared/domain/chat/a.ts', code)).toEqual([
      'shared/domain/chat/a.ts made: create(E, item) → overwrites',
      'shared/domain/chat/a.ts made: create → overwrites',
    ]);
  });

  it('leave out that an item is present where `change` of the table layer requires it, and nowhere else', () => {
    const code = 'change(E, item, {}, { when: present() }); remove(E, item, { when: present() });';
    const ids = (names: string) =>
      idsOf('shared/domain/chat/a.ts', `import { ${names} } from '../../platform/table/index.ts';\n${code}`);
    expect(ids('change, present, remove')).toHaveLength(1);
    expect(ids('present, remove')).toHaveLength(2);
  });

  it('leave conditions alone that are not of the table, and code without states and money', () => {
    expect(
      idsOf('shared/domain/chat/a.ts', "const equals = (a) => a; equals('a'); if (a < b) stop();"),
    ).toEqual([]);
  });

  it('turn comparisons and drop guards of code about states and money', () => {
    expect(
      idsOf('shared/domain/payment/a.ts', 'const f = () => { if (paid >= total && isOpen) return; };'),
    ).toEqual([
      'shared/domain/payment/a.ts f: paid >= total as >',
      'shared/domain/payment/a.ts f: paid >= total → dropped from &&',
      'shared/domain/payment/a.ts f: isOpen → dropped from &&',
      'shared/domain/payment/a.ts f: paid >= total && isOpen → never',
    ]);
  });

  it('count comparisons in code that prices, charges and refunds as money, those of other states not', () => {
    const code = 'if (amount < 1) stop();';
    const kindsIn = (file: string) =>
      instrument(file, code)
        .sites.filter(({ id }) => id.endsWith('amount < 1 as <='))
        .map(({ kind }) => kind);
    for (const file of [
      'domain/payment/refunds.ts',
      'domain/pricing/quote-item.rules.ts',
      'domain/booking/refund.rules.ts',
      'domain/booking/cancel-booking.ts',
      'domain/checkout/pay-online.ts',
      'platform/payment/stripe.ts',
      'platform/money.ts',
    ])
      expect(kindsIn(`shared/${file}`), file).toEqual(['money']);
    expect(kindsIn('shared/domain/calendar/hours.rules.ts')).toEqual(['comparison']);
    expect(kindsIn('shared/domain/pricing/quote.schema.ts')).toEqual([]);
  });

  it('negate that two amounts are equal', () => {
    expect(idsOf('shared/platform/money.ts', 'const isPaid = paid.eq(due);')).toEqual([
      'shared/platform/money.ts isPaid: paid.eq(due) as negated',
    ]);
  });

  it('change what the code does while their mutant is on, and nothing else', async () => {
    const source =
      'export const moves = { pay: { from: ["OPEN", "FAILED"], to: "PAID" } };\n' +
      'export const isPaid = (paid: number, total: number, isOpen: boolean): boolean => paid >= total && isOpen;' +
      'export const isSame = (one: { eq: (n: number) => boolean }): boolean => one.eq(1);';
    const { code, sites: found } = instrument('shared/domain/payment/a.ts', source);
    const script = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.ESNext } }).outputText;
    const { moves, isPaid, isSame } = (await import(
      `data:text/javascript,${encodeURIComponent(script)}`
    )) as {
      moves: { pay: { from: string[] } };
      isPaid: (paid: number, total: number, isOpen: boolean) => boolean;
      isSame: (one: { eq: (n: number) => boolean }) => boolean;
    };
    const results = (): unknown[] => [
      moves.pay.from,
      isPaid(5, 5, true),
      isPaid(4, 5, true),
      isPaid(6, 5, false),
      isSame({ eq: (other) => other === 1 }),
    ];
    const before = mutants.active;
    try {
      const all = [undefined, ...found.map(({ id }) => id)].map((mutant) => {
        mutants.active = mutant;
        return results();
      });
      expect(all).toEqual([
        [['OPEN', 'FAILED'], true, false, false, true],
        [['FAILED'], true, false, false, true],
        [['OPEN'], true, false, false, true],
        [['OPEN', 'FAILED'], false, false, false, true],
        [['OPEN', 'FAILED'], true, true, false, true],
        [['OPEN', 'FAILED'], true, false, true, true],
        [['OPEN', 'FAILED'], true, false, false, false],
      ]);
    } finally {
      mutants.active = before;
    }
  });
});

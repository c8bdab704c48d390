import { describe, expect, test } from 'vitest';
import { outputOf } from './run.ts';

// The machine's time is 2027-03-01T09:00:00Z.
describe('a function of JSONata returns the right time or number', () => {
  test.each<[expression: string, value: unknown]>([
    ['$fromMillis(1609459200000, "[H01]:[m][Z]", "-0330")', '20:30-03:30'],
    ['$fromMillis(1609459200000, "[H01]:[m][Z]", "-03:30")', '20:30-03:30'],
    ['$fromMillis(1609459200000, "[H01]:[m] [z]", "-0930")', '14:30 GMT-09:30'],
    ['$fromMillis(1609459200000, "[H01]:[m] [Z0]", "-0030")', '23:30 -0:30'],
    ['$fromMillis(1609459200000, "[H01][[m] [Z0101]]", "+0545")', '05[m] +0545]'],
    ['$fromMillis(0, (), "+0500")', '1970-01-01T05:00:00.000+05:00'],
    ['$fromMillis(0, (), "+05:00")', '1970-01-01T05:00:00.000+05:00'],
    ['$fromMillis(0, (), "0500")', '1970-01-01T05:00:00.000+05:00'],
    ['$fromMillis(0, (), "-0000")', '1970-01-01T00:00:00.000Z'],
    ['$fromMillis(0)', '1970-01-01T00:00:00.000Z'],
    ['$fromMillis(1500000000007, "[s].[f]")', '00.007'],
    ['$fromMillis(1500000000070, "[s].[f]")', '00.07'],
    ['$fromMillis(1500000000000, "[s].[f]")', '00.0'],
    ['$fromMillis(1500000000070, "[s].[f001]")', '00.070'],
    ['$fromMillis(1500000000070, "[s].[ f, 1-2 ]")', '00.07'],
    ['$fromMillis(1500000000070, "[s].[f,3-3]")', '00.070'],
    ['$fromMillis(1500000000123, "[s].[f01]")', '00.12'],
    ['$fromMillis(-1, "[s].[f001]")', '59.999'],
    ['$fromMillis(253402300799999)', '9999-12-31T23:59:59.999Z'],
    ['$now("[H01]:[m][Z]", "-0330")', '05:30-03:30'],
    ['[1609459200000].$fromMillis("[Y]")', '2021'],
    ['1609459200000 ~> $fromMillis("[Y]")', '2021'],
    ['$toMillis("2020-01-01T10:00:00")', Date.UTC(2020, 0, 1, 10)],
    ['$toMillis("2020-01-01T10:00:00.5-0330")', Date.UTC(2020, 0, 1, 13, 30, 0, 500)],
    ['$toMillis("2020-12-31T24:00:00Z")', Date.UTC(2021, 0, 1)],
    ['$toMillis("2020-02")', Date.UTC(2020, 1, 1)],
    ['$toMillis("2020")', Date.UTC(2020, 0, 1)],
    ['$toMillis("2020-01-01 10:00 -03:30", "[Y]-[M]-[D] [H]:[m] [Z]")', Date.UTC(2020, 0, 1, 13, 30)],
    ['$toMillis("2020-01-01 10:00 -0330", "[Y]-[M]-[D] [H]:[m] [Z0000]")', Date.UTC(2020, 0, 1, 13, 30)],
    ['$toMillis("2020-01-01 10:00 +0545", "[Y]-[M]-[D] [H]:[m] [Z0000]")', Date.UTC(2020, 0, 1, 4, 15)],
    ['$toMillis("10:00-03 2020-01-01", "[H]:[m][Z00] [Y]-[M]-[D]")', Date.UTC(2020, 0, 1, 13)],
    ['$toMillis("GMT-00:30 2020-01-01", "[z] [Y]-[M]-[D]")', Date.UTC(2020, 0, 1, 0, 30)],
    ['$toMillis("29/2/2020 1:05 pm", "[D]/[M]/[Y] [h]:[m] [P]")', Date.UTC(2020, 1, 29, 13, 5)],
    ['$toMillis("5 March 2020", "[D] [MNn] [Y]")', Date.UTC(2020, 2, 5)],
    ['$toMillis("2020-366", "[Y]-[d]")', Date.UTC(2020, 11, 31)],
    ['$toMillis("5", "[D]")', Date.UTC(2027, 2, 5)],
    ['$toMillis("10:00:00.123456", "[H]:[m]:[s].[f]")', Date.UTC(2027, 2, 1, 10, 0, 0, 123)],
    ['$formatNumber(12345678901234567890, "#,##0")', '12,345,678,901,234,567,168'],
    ['$formatNumber(1e25, "0.0e0")', '10.0e24'],
    ['$formatNumber(0.25, "0%")', '25%'],
    ['$formatNumber(-1234.5, "#,##0.00")', '-1,234.50'],
    ['1234.5 ~> $formatNumber("0.0")', '1234.5'],
    ['$formatInteger(1e21, "w")', 'one billion trillion'],
    ['$formatInteger(0, "w")', 'zero'],
    ['$formatInteger(2027, "I")', 'MMXXVII'],
    ['$formatInteger(1e20, "0")', '100000000000000000000'],
    ['$formatBase(1e21, 16)', '3635c9adc5dea00000'],
    ['$formatBase(255)', '255'],
    ['$parseInteger("1,234", "#,##0")', 1234],
    ['$parseInteger("-12", "0")', -12],
    ['$parseInteger("12th", "0;o")', 12],
    ['$parseInteger("twelve", "w")', 12],
    ['$parseInteger("MMXXVII", "I")', 2027],
    ['$parseInteger("ab", "a")', 28],
    ['$round(2.5)', 2],
    ['$round(1e-7, 3)', 0],
    ['$power(2, -1)', 0.5],
    ['$number("0x1F")', 31],
  ])('%s', async (expression, output) => {
    expect(await outputOf(expression)).toEqual({ output });
  });

  test('$fromMillis and $toMillis agree with the calendar of JavaScript in each zone', async () => {
    let state = 34;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    for (let index = 0; index < 200; index++) {
      const millis = Date.UTC(
        random(9_998) + 1,
        random(12),
        random(31) + 1,
        random(24),
        random(60),
        random(60),
        random(1_000),
      );
      const offset = random(14 * 60) * (random(2) ? 1 : -1);
      const size = Math.abs(offset);
      const two = (value: number) => String(value).padStart(2, '0');
      const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
      const written = new Date(millis + offset * 60_000).toISOString().replace('Z', zone);
      const picture = '[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z]';
      const expression = `[$fromMillis(${millis}, "${picture}", "${zone}"), $toMillis("${written}"), $toMillis("${written}", "${picture}")]`;
      // JSONata's parser reads the years 0 to 99 as those of the 20th century.
      const year = Number(written.slice(0, 4));
      const parsed = year < 100 ? expect.anything() : millis;
      expect(await outputOf(expression), written).toEqual({ output: [written, millis, parsed] });
    }
  });
});

describe('what is no time or number fails with States.QueryEvaluationError, however it is used', () => {
  const expressions = [
    '$fromMillis(0, (), "Europe/Berlin")',
    '$fromMillis(0, (), "+9999")',
    '$fromMillis(0, (), "+1401")',
    '$fromMillis(0, (), "+5")',
    '$fromMillis(0, (), "+0560")',
    '$fromMillis(0, (), "")',
    '$now((), "CET")',
    '$fromMillis(1e20)',
    '$fromMillis(253402300800000)',
    '$fromMillis(253402300799999, (), "+0100")',
    '$fromMillis(-62167219200001)',
    '$toMillis("2020-02-31")',
    '$toMillis("2020-13-01")',
    '$toMillis("2020-01-01T25:00:00Z")',
    '$toMillis("2020-01-01T10:00:00+29:00")',
    '$toMillis("2020.5")',
    '$toMillis("tomorrow")',
    '$toMillis("2020-02-31", "[Y]-[M]-[D]")',
    '$toMillis("2020-13-01", "[Y]-[M]-[D]")',
    '$toMillis("2020-01-01 24:01", "[Y]-[M]-[D] [H]:[m]")',
    '$toMillis("2020-01-01 10:60", "[Y]-[M]-[D] [H]:[m]")',
    '$toMillis("2020-01-01 10:00 +99:99", "[Y]-[M]-[D] [H]:[m] [Z]")',
    '$toMillis("2020-01-01 10:00 +1500", "[Y]-[M]-[D] [H]:[m] [Z0000]")',
    '$toMillis("13:00 am", "[h]:[m] [P]")',
    '$toMillis("29/2/2020 0:05 am", "[D]/[M]/[Y] [h]:[m] [P]")',
    '$toMillis("1:00 Pm", "[h]:[m] [P]")',
    '$toMillis("2019-366", "[Y]-[d]")',
    '$toMillis("june 5", "[MNn] [D]")',
    '$formatNumber(1e21, "0")',
    '$formatNumber(-1e21, "#,##0.00")',
    '$formatNumber(1e20, "0%")',
    '$formatNumber(1e308, "0%")',
    '$formatInteger(1e21, "0")',
    '$formatInteger(0, "A")',
    '$formatInteger(0, "I")',
    '$formatBase(1e21)',
    '$formatBase(255, 99)',
    '$parseInteger("abc", "0")',
    '$parseInteger("12abc", "0")',
    '$parseInteger("1.5", "0")',
    '$parseInteger("1.234", "#.##0")',
    '$parseInteger("", "0")',
    '$parseInteger("twelve apples", "w")',
    '$parseInteger("XIQ", "I")',
    '$parseInteger("a1", "a")',
    '$power(10, 400)',
    '$power(-8, 0.5)',
    '$sqrt(-1)',
    '$round(1, 400)',
    '$round(123.456, 1.5)',
    '$number("1e999")',
    '$number("NaN")',
    '$sum([1e308, 1e308])',
    '$average([1e308, 1e308])',
    '1e308 * 10',
    '-1e308 - 1e308',
    '1 / 0',
    '0 / 0',
    '5 % 0',
  ];
  // As a value; where NaN would compare as false; where it would become text.
  test.each(
    expressions.flatMap((source) => [source, `(${source}) ? 1 : 2`, `$substring("abc", 0, 1) & (${source})`]),
  )('%s', async (expression) => {
    expect(await outputOf(expression)).toMatchObject({ error: 'States.QueryEvaluationError' });
  });
});

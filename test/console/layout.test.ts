import { describe, expect, test } from 'vitest';
import { type Definition, type Outline, outlineOf } from '../../server/asl/index.ts';
import { layoutSize } from '../../server/src/console/execution/edges.ts';
import {
  type Layout,
  layoutOf as layoutOfOutline,
  type Point,
  rememberedLayouts,
  type StateBox,
} from '../../server/src/console/execution/layout.ts';
import { definitionOf, demoDefinitions } from '../support/definitions.ts';

type States = Record<string, object>;

const pass = (next?: string) => ({ Type: 'Pass', ...(next ? { Next: next } : { End: true }) });
const choice = (...next: string[]) => ({
  Type: 'Choice',
  Choices: next.slice(1).map((to) => ({ Condition: `{% $states.input.way = '${to}' %}`, Next: to })),
  Default: next[0],
});
const parallel = (branches: number, states: States, next?: string) => ({
  ...pass(next),
  Type: 'Parallel',
  Branches: Array.from({ length: branches }, () => definitionOf(states as never)),
});

/** Sixty states with choices forwards and back, forks and caught errors. */
const names = Array.from({ length: 60 }, (_, index) => `Step ${index}`);
const sixty: States = Object.fromEntries(
  names.map((name, index) => {
    const next = names[index + 1];
    if (next === undefined) return [name, { Type: 'Succeed' }];
    if (index % 6 === 5)
      return [name, choice(next, names[Math.min(59, index + 4)] as string, names[index - 4] as string)];
    if (index % 15 === 14) return [name, parallel(3, { Inner: pass('Last'), Last: pass() }, next)];
    const caught = { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Step 59' }] };
    return [
      name,
      { ...pass(next), ...(index % 20 === 7 && { Type: 'Task', Resource: 'wrp:http:call', ...caught }) },
    ];
  }),
);

const definitions: Record<string, object> = {
  'one state': definitionOf({ Only: pass() } as never),
  'a chain': definitionOf({ A: pass('B'), B: pass('C'), C: { Type: 'Succeed' } } as never),
  'a loop to itself': definitionOf({ A: choice('B', 'A'), B: pass() } as never),
  'a loop to itself beside others': definitionOf({
    A: choice('B', 'A', 'C'),
    B: choice('C', 'B', 'D'),
    C: pass('D'),
    D: pass(),
  } as never),
  'a loop over states': definitionOf({ A: pass('B'), B: choice('C', 'A'), C: pass() } as never),
  'a loop that never ends': definitionOf({ A: pass('B'), B: pass('A') } as never),
  'states in reverse order': {
    ...definitionOf({ C: pass(), B: pass('C'), A: pass('B') } as never),
    StartAt: 'A',
  },
  'a state that nothing leads to': definitionOf({ A: pass(), Alone: pass('A') } as never),
  'two transitions to the same state': definitionOf({ A: choice('B', 'B', 'B'), B: pass() } as never),
  'a tall fork beside a way around it': definitionOf({
    A: choice('Fork', 'End', 'Other'),
    Fork: parallel(2, { X: pass('Y'), Y: pass('Z'), Z: pass() }, 'End'),
    Other: pass('End'),
    End: pass(),
  } as never),
  'forks in forks': definitionOf({
    A: parallel(2, { B: parallel(2, { C: parallel(2, { D: pass() }) }) }),
  } as never),
  'long names': definitionOf({
    ['x'.repeat(80)]: pass('検査と修理の見積もりを依頼する'.repeat(5)),
    ['検査と修理の見積もりを依頼する'.repeat(5)]: pass(),
  } as never),
  'sixty states': definitionOf(sixty as never),
  'names of the objects of JavaScript': definitionOf({
    constructor: pass('__proto_'),
    __proto_: pass('start'),
    start: pass('end'),
    end: pass(),
  } as never),
};
for (const [name, { definition }] of Object.entries(await demoDefinitions()))
  definitions[`the demo ${name}`] = definition;

const outline = (definition: object): Outline => outlineOf(definition as Definition);

function layoutOf(definition: object): Layout {
  const layout = layoutOfOutline(outline(definition));
  if (!layout) throw new Error('The definition is too large to be laid out.');
  return layout;
}

/** All layouts, those of inner scopes included. */
function all(layout: Layout): Layout[] {
  return [layout, ...layout.states.flatMap(({ inner }) => inner.flatMap((one) => all(one.layout)))];
}

describe.each(Object.entries(definitions))('the layout of %s', (_name, definition) => {
  const layouts = all(layoutOf(definition));

  test('is the same each time', () => {
    const text = () => JSON.stringify(layoutOf(definition));
    expect(text()).toBe(text());
  });

  test('has every state within its bounds, and none above another', () => {
    for (const { states, width, height } of layouts) {
      for (const [index, box] of states.entries()) {
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(box.y + box.height).toBeLessThanOrEqual(height);
        for (const other of states.slice(index + 1)) expect(overlap(box, other), other.title).toBe(false);
      }
    }
  });

  test('leads no transition through a state', () => {
    for (const { states, transitions } of layouts) {
      for (const { points } of transitions) {
        for (const [index, to] of points.entries()) {
          const from = points[index - 1];
          if (!from) continue;
          for (const box of states)
            expect(crosses(from, to, box), `${box.title} ${JSON.stringify(points)}`).toBe(false);
        }
      }
    }
  });

  test('begins and ends each transition at a border', () => {
    for (const { states, marks, transitions } of layouts) {
      const circles = marks.map(({ x, y }) => ({ x: x - 8, y: y - 8, width: 16, height: 16 }));
      const borders = [...states, ...circles];
      const isAtBorder = ({ x, y }: Point) =>
        borders.some(
          (box) =>
            x >= box.x - 1 &&
            x <= box.x + box.width + 1 &&
            (Math.abs(y - box.y) < 1 ||
              Math.abs(y - box.y - box.height) < 1 ||
              (Math.abs(x - box.x - box.width) < 1 && y > box.y && y < box.y + box.height)),
        );
      for (const { points } of transitions)
        expect([points[0], points.at(-1)].every((point) => point && isAtBorder(point))).toBe(true);
    }
  });

  test('has each inner scope within its state', () => {
    for (const { states } of layouts) {
      for (const { inner, width, height } of states) {
        for (const { at, layout } of inner) {
          expect(at.x).toBeGreaterThanOrEqual(0);
          expect(at.x + layout.width).toBeLessThanOrEqual(width);
          expect(at.y + layout.height).toBeLessThanOrEqual(height);
        }
      }
    }
  });
});

test('states go downwards along the defaults; a condition that leads back leads up', () => {
  const { states } = layoutOf(definitions['a loop over states'] as object);
  const [a, b, c] = states as [StateBox, StateBox, StateBox];
  expect([a.y < b.y, b.y < c.y]).toEqual([true, true]);
});

test('a definition of 60 states takes less than a second of CPU time', () => {
  layoutOf(sixtyDefinition);
  const before = process.cpuUsage();
  layoutOf(sixtyDefinition);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
});

const sixtyDefinition = definitions['sixty states'] as object;

/** States one after another, all of which catch errors with the same handlers. */
const sharing = (states: number, handlers = 1): States => {
  const handlerNames = Array.from({ length: handlers }, (_, index) => `Handle ${index}`);
  const caught = handlerNames.map((Next, index) => ({ ErrorEquals: [`Error${index}`], Next }));
  return {
    ...chainOf(states, { Type: 'Task', Resource: 'wrp:http:call', Catch: caught }),
    ...Object.fromEntries(handlerNames.map((name) => [name, { Type: 'Fail' }])),
  };
};
const chainOf = (states: number, each: object = {}): States =>
  Object.fromEntries(
    Array.from({ length: states }, (_, index) => [
      `S${index}`,
      { ...pass(index + 1 < states ? `S${index + 1}` : undefined), ...each },
    ]),
  );
const ladder = (states: number, ways: number) =>
  definitionOf(
    Object.fromEntries(
      Array.from({ length: states }, (_, index) => [
        `S${index}`,
        index + 1 === states
          ? pass()
          : choice(...Array.from({ length: ways }, (_, way) => `S${Math.min(states - 1, index + 1 + way)}`)),
      ]),
    ) as never,
  );

describe('the time of a layout', () => {
  test.each<[string, object, 'drawn' | 'too large']>([
    ['sixty states', sixtyDefinition, 'drawn'],
    ['40 states that share a Catch', definitionOf(sharing(40) as never), 'drawn'],
    ['150 states that share a Catch', definitionOf(sharing(150) as never), 'too large'],
    ['300 states that share a Catch', definitionOf(sharing(300) as never), 'too large'],
    ['40 states that share four', definitionOf(sharing(40, 4) as never), 'too large'],
    ['40 such branches', definitionOf({ A: parallel(40, sharing(12)) } as never), 'too large'],
    [
      'forks in forks of 60 states',
      definitionOf({ A: parallel(2, { B: parallel(2, sharing(60)) }) } as never),
      'too large',
    ],
    ['a Choice between 400 states', ladder(2, 400), 'drawn'],
    ['1,200 states one after another', definitionOf(chainOf(1_200) as never), 'drawn'],
    ['10,000 states one after another', definitionOf(chainOf(10_000) as never), 'too large'],
    ['a state that leads to each of the 20 after it, 50 times', ladder(50, 20), 'too large'],
  ])('is short for %s', (_name, definition, expected) => {
    const before = process.cpuUsage();
    const layout = layoutOfOutline(outline(definition));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
    expect(layout ? 'drawn' : 'too large').toBe(expected);
  });

  test.each<[string, object, number]>([
    // The states, and a node on the rank between two ends of a transition.
    ['four states one after another', definitionOf(chainOf(4) as never), 4 + 5],
    ['a loop over states', definitions['a loop over states'] as object, 3 + 5],
    ['a loop to itself', definitions['a loop to itself'] as object, 2 + 3],
    ['300 states that share a Catch', definitionOf(sharing(300) as never), 301 + 301 + 300 ** 2],
    ['two branches', definitionOf({ A: parallel(2, chainOf(4)) } as never), 1 + 2 + 2 * (4 + 5)],
  ])('is estimated by its nodes for %s', (_name, definition, size) => {
    expect(layoutSize(outline(definition))).toBe(size);
  });

  test('is taken once for a revision, as long as others do not displace it', () => {
    const laid: string[] = [];
    const layouts = rememberedLayouts((one) => {
      laid.push(one.startAt);
      return undefined;
    }, 2);
    for (const revision of ['a', 'b', 'a', 'a', 'c', 'a', 'b'])
      layouts({ startAt: revision, states: [] }, revision);
    expect(laid).toEqual(['a', 'b', 'c', 'b']);
  });
});

const overlap = (one: StateBox, other: StateBox) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** Whether a line passes through the inside of a box; it may end at its border. */
function crosses(from: Point, to: Point, { x, y, width, height }: StateBox): boolean {
  const steps = 100;
  for (let step = 0; step <= steps; step++) {
    const at = { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps };
    if (at.x > x + 1 && at.x < x + width - 1 && at.y > y + 1 && at.y < y + height - 1) return true;
  }
  return false;
}

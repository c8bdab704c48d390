import { lexer, type Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { drawDefinition } from '../../server/asl/draw.ts';
import { definitionOf, only } from './run.ts';

describe('drawDefinition', () => {
  test.each([
    [{}, 'Fail'],
    [{ Cause: 'Why' }, 'Fail'],
    [{ Error: 'Mine' }, 'Fail Mine'],
  ])('draws a Fail with %j', (fields, label) => {
    expect(drawDefinition(only({ Type: 'Fail', ...fields }))).toContain(`(["S<br/>${label}"])`);
  });

  test('draws every type of state, its transitions and its nested states', () => {
    const branch = (name: string, state: object) => ({ StartAt: name, States: { [name]: state } });
    const definition = definitionOf({
      Start: { Type: 'Pass', Next: 'Ask' },
      Ask: {
        Type: 'Task',
        Resource: 'wrp:http:call',
        Catch: [{ ErrorEquals: ['States.Timeout', 'Mine'], Next: 'No' }],
        Next: 'Which',
      },
      Which: { Type: 'Choice', Choices: [{ Condition: '{% $n > 1 %}', Next: 'Both' }], Default: 'Pause' },
      Pause: { Type: 'Wait', Seconds: 10, Next: 'Each' },
      Both: {
        Type: 'Parallel',
        Branches: [branch('L', { Type: 'Pass', End: true }), branch('R', { Type: 'Succeed' })],
        End: true,
      },
      Each: { Type: 'Map', ItemProcessor: branch('I', { Type: 'Succeed' }), Next: 'Yes' },
      Yes: { Type: 'Succeed' },
      No: { Type: 'Fail', Error: 'Mine' },
    });
    expect(drawDefinition(definition)).toBe(
      `
flowchart TD
  s_start(( )) --> s_0
  s_0["Start"]
  s_1["Ask<br/>wrp:http:call"]
  s_2{"Which"}
  s_3[/"Pause<br/>for 10 s"/]
  subgraph s_4["Both<br/>at once"]
    subgraph s_4_0_branch["Branch 1"]
      s_4_0_start(( )) --> s_4_0_0
      s_4_0_0["L"]
      s_4_0_0 --> s_4_0_end
      s_4_0_end((( )))
    end
    subgraph s_4_1_branch["Branch 2"]
      s_4_1_start(( )) --> s_4_1_0
      s_4_1_0(["R"])
    end
  end
  subgraph s_5["Each<br/>for each item"]
    s_5_item_start(( )) --> s_5_item_0
    s_5_item_0(["I"])
  end
  s_6(["Yes"])
  s_7(["No<br/>Fail Mine"])
  s_0 --> s_1
  s_1 --> s_2
  s_1 -.->|"States.Timeout, Mine"| s_7
  s_2 -->|"#36;n #62; 1"| s_4
  s_2 -->|"otherwise"| s_3
  s_3 --> s_5
  s_4 --> s_end
  s_5 --> s_6
  s_end((( )))
`.trim(),
    );
  });

  test.each<[name: string, label: string]>([
    ['a "quoted" name', 'a #34;quoted#34; name'],
    ['<script>', '#60;script#62;'],
    ['end', 'end'],
    ['#1; %% [x]', '#35;1; #37;#37; #91;x#93;'],
    ['two\nlines', 'two lines'],
    ['Über ☃ 名前', 'Über #9731; 名前'],
    ['`code`', '#96;code#96;'],
    ['1. Ask', '1#46; Ask'],
    ['2) Ask', '2#41; Ask'],
    ['* Ask', '#42; Ask'],
    [' - Ask', ' #45; Ask'],
    ['+ Ask', '#43; Ask'],
    ['---', '#45;--'],
    ['Version 1.2 - a_b', 'Version 1.2 - a_b'],
    ['http://a.example', 'http:#47;/a.example'],
    ['www.a.example', 'www#46;a.example'],
  ])('escapes the name %j for Mermaid', (name, label) => {
    const drawing = drawDefinition(definitionOf({ [name]: { Type: 'Succeed' } }));
    expect(drawing).toContain(`s_0(["${label}"])`);
    // Mermaid reads labels with marked, its codes aside, and shows an error for anything but text.
    const read = lexer(label.replaceAll(/#\d+;/g, 'ﬂ'));
    expect(read.map(({ type }) => type)).toEqual(['paragraph']);
    expect((read[0] as Tokens.Paragraph).tokens.map(({ type }) => type)).toEqual(['text']);
  });

  test('cuts a long condition', () => {
    const drawing = drawDefinition(
      definitionOf({
        C: { Type: 'Choice', Choices: [{ Condition: `{% ${'x'.repeat(500)} %}`, Next: 'D' }] },
        D: { Type: 'Succeed' },
      }),
    );
    expect(drawing).toContain(`|"${'x'.repeat(59)}…"|`);
  });

  test('shows the time until which a Wait waits', () => {
    const drawing = drawDefinition(only({ Type: 'Wait', Timestamp: '{% $states.input.at %}' }));
    expect(drawing).toContain('until #36;states.input.at');
  });
});

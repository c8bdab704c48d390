import { pauseDefinition, resumeDefinition } from '../store/pauses.ts';
import { changeDefinition } from './definition-show.ts';
import { type AddCommand, action, type EnvironmentOptions, parseText } from './options.ts';
import { printJson } from './print.ts';

const notes = `
Executions of a paused definition stop at their next step, and new ones, which are still accepted, at their first. They stay
RUNNING, and can be cancelled. Callbacks are accepted, and the deadlines of executions and callbacks go on. A call in
progress completes. Within about two seconds of "wrp definition resume", everything continues where it stopped.`;

/** `wrp definition pause` and `wrp definition resume`. */
export function addPauseCommands(add: AddCommand): void {
  add(
    'pause claims --reason "The assessor\'s system is down until 14:00"',
    'Stops the executions of a definition at their next step, until it is resumed.',
  )
    .argument('<name|id>')
    .option('--reason <text>', 'shown by list, at most 200 characters', parseText)
    .addHelpText('after', notes)
    .action(action(runPause));
  add('resume claims', 'Continues the executions of a paused definition.')
    .argument('<name|id>')
    .action(action(runResume));
}

async function runPause(reference: string, options: EnvironmentOptions & { reason?: string }): Promise<void> {
  const { json, reason } = options;
  const { id, outcome } = await changeDefinition(reference, options, async (transaction, id, now) => ({
    outcome: await pauseDefinition(transaction, id, { reason, now }),
  }));
  if (json) return printJson({ id, outcome });
  console.error(`The definition ${outcome === 'paused' ? 'is' : 'was already'} paused.`);
}

async function runResume(reference: string, options: EnvironmentOptions): Promise<void> {
  const { id, outcome } = await changeDefinition(reference, options, async (transaction, id) => ({
    outcome: await resumeDefinition(transaction, id),
  }));
  if (options.json) return printJson({ id, outcome });
  console.error(`The definition ${outcome === 'resumed' ? 'is resumed' : 'was not paused'}.`);
}

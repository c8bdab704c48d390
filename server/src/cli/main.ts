import { CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { explanationOf } from './command-error.ts';
import { createProgram } from './program.ts';

// Whoever reads our output may stop reading, as head does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await createProgram(manifest.version).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said its piece. Help that was asked for is no mistake.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    console.error(explanationOf(error));
    process.exitCode = 1;
  }
}

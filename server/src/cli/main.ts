import { CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { describeError } from './command-error.ts';
import { createProgram } from './program.ts';

// The reader of standard output may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await createProgram(manifest.version).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the message. Requested help and version have exit code 0.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}

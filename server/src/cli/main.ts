import { runProgram } from './program.ts';

// The reader of standard output may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// If an older Node started this one (`bin/wrp.js`) and was killed, its supervisor starts another on the same ports.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();

process.exitCode = await runProgram(process.argv.slice(2));

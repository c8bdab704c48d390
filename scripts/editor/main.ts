/** The language server of the contract, for editors. */
import { command, run } from '../command-line/command.ts';

const cli = command('editor', 'npm run editor --silent --')
  .description(
    'Serves the Language Server Protocol on standard input and output, for the files of spec/ and redocly.yaml: the ' +
      'findings of the lint while you type, reasons, fixes, definitions and completion. Ends when the editor does.',
  )
  .option('--stdio', 'accepted because editors pass it; there is no other transport')
  .action(async () => {
    // Loaded only now: a wrong option is reported at once.
    const { serve } = await import('./server.ts');
    serve(new URL('../../', import.meta.url));
  });

await run(cli);

/**
 * Sends a webhook as the platform would: the contract's example of an event, signed.
 *
 *   npm run mock:webhook -- workflow.completed --to http://localhost:3000/webhooks
 */
import { runCommand } from '../../command-line/run-command.ts';
import { readContract } from '../watch-contract.ts';
import { readWebhookOptions, webhookUsage } from './command-line.ts';
import { listText, runWebhook } from './run.ts';

await runCommand('mock:webhook', async () => {
  const options = readWebhookOptions(process.argv.slice(2));
  if (options.kind === 'help') {
    process.stdout.write(webhookUsage);
    return 0;
  }
  const contract = await readContract(new URL('../../../', import.meta.url));
  if (options.kind === 'send') return runWebhook(options, contract);
  process.stdout.write(listText(options, contract));
  return 0;
});

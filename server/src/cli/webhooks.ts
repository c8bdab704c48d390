import { Command } from 'commander';
import { disableCommand, enableCommand, redeliverCommand, rotateKeysCommand } from './webhook-changes.ts';
import { attemptsCommand, deliveriesCommand, endpointsCommand } from './webhook-lists.ts';
import { testCommand } from './webhook-test.ts';

const examples = `
Endpoints are declared in the platform file, see wrp apply.

Examples:
  $ wrp webhook endpoints
  $ wrp webhook deliveries --status failed
  $ wrp webhook test 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02
  $ wrp webhook redeliver --endpoint 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02`;

/** `wrp webhook`: what was sent to whom, how it came out, and another try. */
export function webhookGroup(): Command {
  const group = new Command('webhook')
    .description('Webhooks: endpoints, deliveries and their attempts, keys.')
    .addHelpText('after', examples);
  const lists = [endpointsCommand(), deliveriesCommand(), attemptsCommand()];
  const changes = [redeliverCommand(), testCommand(), enableCommand(), disableCommand(), rotateKeysCommand()];
  for (const command of [...lists, ...changes]) group.addCommand(command);
  return group;
}

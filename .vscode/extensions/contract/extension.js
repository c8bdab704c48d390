/** Starts the language server of this project. Its packages are those of the project: there is no build. */
const { join } = require('node:path');
const { LanguageClient } = require('vscode-languageclient/node');

const root = join(__dirname, '../../..');
const server = {
  command: 'node',
  args: ['scripts/run.mjs', '--no-generate', 'scripts/editor/main.ts'],
  options: { cwd: root },
};
const documentSelector = ['**/spec/**/*.yaml', '**/redocly.yaml'].map((pattern) => ({
  scheme: 'file',
  pattern,
}));
const client = new LanguageClient('contract', 'Contract', server, { documentSelector });

exports.activate = () => client.start();
exports.deactivate = () => client.stop();

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from '../execute.ts';
import { type Generator, installPython, python, shownOptions, writeProgram } from './generator.ts';

export const pythonGenerators: Record<string, Generator> = {
  'openapi-python-client': {
    tools: 'openapi-python-client',
    version: '0.29.1',
    needs: [python],
    install: (directory, version) => installPython([`openapi-python-client==${version}`], directory),
    async use({ directory, tools, contract }, variables) {
      const client = join(directory, 'openapi-python-client');
      await mkdir(client);
      await writeFile(join(directory, 'config.yaml'), 'post_hooks: []\n');
      const options = await shownOptions('openapi-python-client', 'openapi-python-client', contract);
      const generate = [...options, '--config', 'config.yaml', '--fail-on-warning'];
      await execute(join(tools, 'bin/openapi-python-client'), generate, { cwd: directory });
      const interpreter = join(tools, 'bin/python');
      await execute(interpreter, ['-m', 'compileall', '-q', 'wrp'], { cwd: client });
      await writeProgram('openapi-python-client.py', join(client, 'program.py'));
      await execute(interpreter, ['program.py'], { cwd: client, env: { ...process.env, ...variables } });
    },
  },
};

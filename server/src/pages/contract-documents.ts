import { type RequestHandler, Router } from 'express';
import { stringify } from 'yaml';

/** `/openapi.json` and `/openapi.yaml`: the contract itself, as one document. */
export function contractDocuments(contract: object): RequestHandler {
  const json = JSON.stringify(contract, null, 2);
  let yaml: string | undefined;
  const router = Router();
  router.get('/openapi.json', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('application/json').send(json);
  });
  router.get('/openapi.yaml', (_request, response) => {
    yaml ??= stringify(contract, { aliasDuplicateObjects: false });
    response.set('Cache-Control', 'no-cache').type('application/yaml').send(yaml);
  });
  return router;
}

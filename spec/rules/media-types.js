import { suggestion } from './nearest.js';

/** Bodies have a media type that clients know. Option `types`: those of this contract. */
export function MediaTypes({ types = [] }) {
  const check = ({ content }, { report, location }) => {
    for (const type of Object.keys(content ?? {})) {
      if (types.includes(type)) continue;
      report({
        message: `\`${type}\` is not a media type of this contract.${suggestion(type, types)} Add a new one to \`types\` of contract/media-types in redocly.yaml.`,
        location: location.child(['content', type]).key(),
      });
    }
  };
  return { RequestBody: check, Response: check };
}

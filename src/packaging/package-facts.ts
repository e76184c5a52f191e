import { readFileSync } from 'node:fs';
import { prompts } from '../prompts/registry.ts';
import { tools } from '../tools/registry.ts';
import { version } from '../version.ts';

interface PackageJson {
  readonly name: string;
  readonly mcpName: string;
  readonly description: string;
  readonly license: string;
}

const about = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as PackageJson;

/** What the MCP registry is told; its descriptions have at most 100 characters. */
export function serverJson(): string {
  return json({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: about.mcpName,
    title: 'LoopX',
    description: 'Durable control plane for coding agents: goals, claims, gates only a human opens, evidence, quota.',
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: about.name,
        version,
        transport: { type: 'stdio' },
        environmentVariables: [
          {
            name: 'LOOPX_WORKSPACE',
            description: 'The project folder, where the host does not start the server in it',
            isRequired: false,
          },
          {
            name: 'LOOPX_AGENT',
            description: "The agent's name, else one made from the host's",
            isRequired: false,
          },
        ],
      },
    ],
  });
}

/** The manifest of the bundle that Claude Desktop opens: the server's own files beside it, and the folder it asks for. */
export function mcpbManifest(): string {
  return json({
    manifest_version: '0.3',
    name: 'loopx',
    display_name: 'LoopX',
    version,
    description: about.description,
    author: { name: 'LoopX maintainers' },
    license: about.license,
    server: {
      type: 'node',
      entry_point: 'server/main.js',
      mcp_config: {
        command: 'node',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills these in.
        args: ['${__dirname}/server/main.js', 'serve', '--workspace', '${user_config.workspace}'],
        env: {},
      },
    },
    tools: tools.map(({ name, title }) => ({ name, description: title })),
    // Prompts that a server makes as it answers have no text here.
    prompts_generated: prompts.length > 0,
    user_config: {
      workspace: {
        type: 'directory',
        title: 'Project',
        description: 'The folder of the project whose goals, claims and gates are kept',
        required: true,
      },
    },
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: '>=20' } },
  });
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool as ProtocolTool,
} from '@modelcontextprotocol/server';
import { HttpError } from '../base/errors.ts';
import type { Principal } from '../http/access/principal.ts';
import { callTool, type ToolCaller } from './call-tool.ts';
import { listResources, readResource, type ResourceSource } from './documentation-resources.ts';
import { instructionsOf } from './instructions.ts';
import { describeTool, listTool } from './listed-tool.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import type { LoadedTools } from './read-tool-file.ts';
import { searchTools } from './search-tools.ts';
import { listThreeTools, threeToolNames } from './three-tools.ts';
import type { Arguments } from './tool-request.ts';
import { ownResult } from './tool-result.ts';
import type { Tool } from './tool.ts';
import { type ToolChoice, isChosen, isSearched, offeredTools } from './toolset.ts';

/** The dependencies of a server for one request. */
export interface ServerParts extends Omit<ToolCaller, 'context' | 'mayCall'> {
  tools: LoadedTools;
  choice: ToolChoice;
  serviceName: string;
  version: string;
  resources: ResourceSource;
  admit: () => Promise<Principal>;
  /** The result of a call that this server itself refused; `undefined` for a fault. */
  explain: (error: unknown) => CallToolResult | undefined;
}

/** Makes the server of one request. The library speaks the protocol; what is here says what is offered and done. */
export function createServer(parts: ServerParts): Server {
  const { tools, choice, serviceName, version, alias, resources, admit } = parts;
  const server = new Server(
    { name: serviceName, title: `${serviceName}: ${alias}`, version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: instructionsOf({ serviceName, alias }),
      inputRequired: { legacyShim: false },
    },
  );
  const offered = async () => offeredTools(tools.tools, choice, await admit());
  const mayCall = async ({ scope }: Tool) => scope === null || (await admit()).hasScope(scope);

  server.setRequestHandler('tools/list', async () => {
    const all = await offered();
    const listed = isSearched(all) ? listThreeTools(countAreas(all), choice) : all.map(listTool);
    // Each schema of ours is one of the protocol.
    return { tools: listed as ProtocolTool[] };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: sent = {} } = params;
    const result = await answerCall(name, sent, context);
    if (isInputRequiredResult(result)) return result;
    return server.projectCallToolResult(result, undefined);
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts() }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments));
  server.setRequestHandler('resources/list', async () => ({
    resources: listResources(resources, await admit()),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(resources, params.uri));
  return server;

  /** Errors of the caller are results, which the model reads; faults are errors of the protocol. */
  async function answerCall(
    name: string,
    sent: Arguments,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    try {
      if (name === threeToolNames.search) {
        const found = searchTools(await offered(), String(sent.query ?? ''));
        const operations = found.map((tool) => summaryOf(tool));
        return ownResult({ operations });
      }
      if (name === threeToolNames.describe) {
        const all = await offered();
        return ownResult({ ...describeTool(find(String(sent.name ?? ''), all)) });
      }
      if (name === threeToolNames.call) {
        return await callTool(find(String(sent.name ?? '')), argumentsIn(sent), {
          ...parts,
          mayCall,
          context,
        });
      }
      return await callTool(find(name), sent, { ...parts, mayCall, context });
    } catch (error) {
      const result = parts.explain(error);
      if (result) return result;
      throw error;
    }
  }

  /** The tool of a name that the address offers. Its scope is checked by its operation. */
  function find(name: string, among?: readonly Tool[]): Tool {
    const tool = tools.named.get(name);
    if (tool && isChosen(tool, choice) && (!among || among.includes(tool))) return tool;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
  }
}

/** The arguments that `call_operation` hands on. Throws a 400 for what has no names: a list may have 100,000 items. */
function argumentsIn({ arguments: inner = {} }: Arguments): Arguments {
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
    return inner as Arguments;
  }
  throw new HttpError('malformed_body', { errors: { arguments: ['Must be an object.'] } });
}

function countAreas(tools: readonly Tool[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { area } of tools) counts[area] = (counts[area] ?? 0) + 1;
  return counts;
}

/** The description of a tool in the result of a search. */
const summaryOf = (tool: Tool) => {
  const { name, description, annotations } = listTool(tool);
  const names = Object.keys(tool.inputSchema.properties ?? {});
  return { name, description, arguments: names.join(', '), changes: !annotations.readOnlyHint };
};

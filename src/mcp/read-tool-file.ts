import { type Tool, type ToolFile, toolFilePath } from './tool.ts';

/** The file with its tools by name. */
export interface LoadedTools extends ToolFile {
  named: ReadonlyMap<string, Tool>;
}

let loaded: LoadedTools | undefined;

/**
 * Reads the tools that the build of the documentation wrote, once in each isolate. So the Worker carries neither their
 * descriptions nor the code that makes schemas.
 */
export async function readToolFile(assets: Fetcher, origin: string): Promise<LoadedTools> {
  if (loaded) return loaded;
  const response = await assets.fetch(`https://assets.invalid/${toolFilePath}`);
  if (!response.ok) throw new Error(`${toolFilePath}: ${response.status}`);
  const text = (await response.text()).replaceAll('{{origin}}', origin);
  const file = JSON.parse(text) as ToolFile;
  loaded = { ...file, named: new Map(file.tools.map((tool) => [tool.name, tool])) };
  return loaded;
}

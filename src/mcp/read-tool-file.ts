import { type Tool, type ToolFile, toolFilePath } from './tool.ts';

/** The file with its tools by name. */
export interface LoadedTools extends ToolFile {
  named: ReadonlyMap<string, Tool>;
}

/** The file as it was built, and what it is at the origin of the last request. */
let read: { text: string; at: string; loaded: LoadedTools } | undefined;

/**
 * Reads the tools that the build of the documentation wrote, once in each isolate, with links of
 * this origin. So the Worker carries neither their descriptions nor the code that makes schemas.
 */
export async function readToolFile(assets: Fetcher, origin: string): Promise<LoadedTools> {
  if (read?.at === origin) return read.loaded;
  const text = read?.text ?? (await fetchText(assets));
  const file = JSON.parse(text.replaceAll('{{origin}}', origin)) as ToolFile;
  const loaded = { ...file, named: new Map(file.tools.map((tool) => [tool.name, tool])) };
  read = { text, at: origin, loaded };
  return loaded;
}

async function fetchText(assets: Fetcher): Promise<string> {
  const response = await assets.fetch(`https://assets.invalid/${toolFilePath}`);
  if (!response.ok) throw new Error(`${toolFilePath}: ${response.status}`);
  return response.text();
}

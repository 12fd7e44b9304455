/** The heap of an isolate in bytes, after a collection of garbage. */
export interface IsolateHeap {
  /** Live objects. */
  used: number;
  /** The memory that V8 reserves for them. */
  total: number;
  /** Memory of buffers, which is outside of the heap. */
  buffers: number;
}

interface Usage {
  usedSize: number;
  totalSize: number;
  backingStorageSize: number;
}

/**
 * Reads the heap of the Worker's isolate at the inspector of a local runtime. An isolate looks at
 * messages of the inspector only while it runs, so `touch` sends it a request.
 */
export async function readIsolateHeap(
  inspectorPort: number,
  touch: () => Promise<unknown>,
): Promise<IsolateHeap> {
  const inspector = `127.0.0.1:${inspectorPort}`;
  const response = await fetch(`http://${inspector}/json`);
  const targets = (await response.json()) as { id: string }[];
  const target = targets.find(({ id }) => id.startsWith('core:user:'));
  if (!target) throw new Error('no Worker at the inspector');
  const socket = new WebSocket(`ws://${inspector}/${target.id}`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const answers = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    answers.get(id)?.(result);
  });
  let last = 0;
  const ask = async (method: string) => {
    const id = (last += 1);
    let isAnswered = false;
    const answered = new Promise<unknown>((resolve) => answers.set(id, resolve));
    void answered.then(() => (isAnswered = true));
    socket.send(JSON.stringify({ id, method }));
    while (!isAnswered) await touch();
    return answered;
  };
  // The first collection may only queue what the second one frees.
  await ask('HeapProfiler.collectGarbage');
  await ask('HeapProfiler.collectGarbage');
  const { usedSize, totalSize, backingStorageSize } = (await ask('Runtime.getHeapUsage')) as Usage;
  socket.close();
  return { used: usedSize, total: totalSize, buffers: backingStorageSize };
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFileLog } from '../../src/state/log/file-log.ts';
import { MemoryStore, openMemoryLog } from '../../src/state/log/memory-log.ts';
import { tempFolder } from '../state/log/temp-log.ts';
import { commitLogContract } from './commit-log.contract.ts';

commitLogContract('memory', () => {
  const store = new MemoryStore();
  return { open: () => openMemoryLog(store), dispose: () => undefined };
});

commitLogContract('files', () => {
  const folder = tempFolder();
  return {
    open: () => openFileLog({ stateDir: join(folder, 'state') }),
    dispose: () => rmSync(folder, { recursive: true }),
  };
});

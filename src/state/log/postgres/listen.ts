import pg from 'pg';
import { clientOptions } from './connection.ts';

/** A connection that says nothing for so long is asked whether it still lives; a lost one is made anew. */
const askEveryMs = 5_000;
const retryMsMax = 5_000;

/** Calls back for each commit of the workspace, and once after every reconnection, since some may have been missed. */
export function listen(url: string, workspace: string, onChange: () => void): () => void {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let tries = 0;

  const again = () => {
    if (isStopped || timer) return;
    timer = setTimeout(connect, Math.min(retryMsMax, 100 * 2 ** tries++));
    timer.unref();
  };
  const lose = (lost: pg.Client) => {
    if (client === lost) client = undefined;
    clearTimeout(timer);
    timer = undefined;
    lost.end().catch(() => {});
    again();
  };
  const ask = (asked: pg.Client) => {
    timer = setTimeout(() => {
      timer = undefined;
      asked.query('select 1').then(
        () => !isStopped && client === asked && ask(asked),
        () => lose(asked),
      );
    }, askEveryMs);
    timer.unref();
  };
  const connect = async () => {
    timer = undefined;
    const fresh = new pg.Client(clientOptions(url));
    fresh.on('error', () => lose(fresh));
    fresh.on('notification', ({ payload }) => {
      if (payload?.startsWith(`${workspace} `)) onChange();
    });
    try {
      await fresh.connect();
      await fresh.query('listen loopx_commit');
    } catch {
      lose(fresh);
      return;
    }
    if (isStopped) return void fresh.end().catch(() => {});
    client = fresh;
    tries = 0;
    onChange();
    ask(fresh);
  };

  void connect();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    client?.end().catch(() => {});
  };
}

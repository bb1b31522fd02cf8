// Where messages go that cannot be delivered: a topic, with the reason in headers and key and value untouched, or a file of JSON lines.
import { open } from 'node:fs/promises';
import type { Producer } from 'kafkajs';
import type { DeadLetter } from './forward.ts';

/** Keeps letters in a topic. */
export function letterTopic(producer: Producer, topic: string): (letter: DeadLetter) => Promise<void> {
  return async (letter) => {
    await producer.send({
      topic,
      acks: -1,
      messages: [
        {
          key: letter.key,
          value: letter.value,
          headers: { reason: letter.reason, topic: letter.topic, partition: String(letter.partition), offset: letter.offset },
        },
      ],
    });
  };
}

/** Appends letters to a file; each is on the disk when the promise resolves. Values that are no text are base64 under `bytes`. */
export function letterFile(path: string): (letter: DeadLetter) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const append = async (line: string) => {
    const file = await open(path, 'a', 0o600);
    try {
      await file.appendFile(line);
      await file.sync();
    } finally {
      await file.close();
    }
  };
  return (letter) => {
    const { topic, partition, offset, reason, key, value } = letter;
    const line = `${JSON.stringify({ reason, topic, partition, offset, key: textOf(key), ...contentOf(value) })}\n`;
    const next = last.then(() => append(line));
    last = next.catch(() => undefined);
    return next;
  };
}

const textOf = (bytes: Buffer | null): string | null => (bytes === null ? null : bytes.toString('utf8'));

function contentOf(value: Buffer | null): { readonly value: string | null } | { readonly bytes: string } {
  if (value === null) return { value: null };
  const text = value.toString('utf8');
  return Buffer.from(text, 'utf8').equals(value) ? { value: text } : { bytes: value.toString('base64') };
}

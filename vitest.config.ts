import { defineConfig } from 'vitest/config';

const costly = ['pg', 'mysql', 'jvm', 'e2e', 'full'] as const;

export default defineConfig({
  test: {
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: costly.map((k) => `test/**/*.${k}.test.ts`),
          // a deadline, not a speed: some start processes, on machines that have other things to do
          testTimeout: 30_000,
        },
      },
      ...costly.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/**/*.${name}.test.ts`],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      })),
    ],
  },
});

// Stands in for a child of a campaign whose inputs are slow, in campaign.test.ts: each takes a fifth of a second.
process.on('message', async (seeds) => {
  for (const seed of seeds) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.send({ what: 'fate', seed, fate: 'tried', milliseconds: 200 });
  }
});
process.on('disconnect', () => process.exit());
process.send({ what: 'ready', originals: 0 });

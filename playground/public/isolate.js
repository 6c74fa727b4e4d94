// A service worker for hosts whose headers cannot be set: it answers every request with the same response and the
// two headers that make a page cross-origin isolated, which is what gives it threads.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  // A request that only the cache may answer cannot be made again from here.
  if (event.request.cache === 'only-if-cached' && event.request.mode !== 'same-origin') return;
  event.respondWith(
    fetch(event.request).then((response) => {
      if (response.status === 0) return response;
      const headers = new Headers(response.headers);
      headers.set('Cross-Origin-Opener-Policy', 'same-origin');
      headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
      const { status, statusText } = response;
      return new Response(response.body, { status, statusText, headers });
    }),
  );
});

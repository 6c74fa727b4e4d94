/** The camera of a person who has said yes: pictures of one size, as many a second as it gives. */

/**
 * @param take gets each picture, which is then its own
 * @returns what ends it
 * @throws DOMException if there is no camera, or the person says no
 */
export async function watchCamera(
  { width, height }: { readonly width: number; readonly height: number },
  take: (bitmap: ImageBitmap) => void,
): Promise<() => void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { width: { ideal: width }, height: { ideal: height } },
  });
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  let isOver = false;
  const stop = () => {
    isOver = true;
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
  try {
    await video.play();
  } catch (error) {
    stop();
    throw error;
  }
  const look = async (): Promise<void> => {
    if (isOver) return;
    try {
      const bitmap = await createImageBitmap(video, { resizeWidth: width, resizeHeight: height });
      if (isOver) bitmap.close();
      else take(bitmap);
    } catch {
      // Between two pictures there may be none.
    }
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(() => void look());
    else setTimeout(() => void look(), 33);
  };
  void look();
  return stop;
}

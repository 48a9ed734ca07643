// Buttons that lie on the sheet: a tap presses them, a press that moves writes on the sheet below.

const TAP_PX = 6;

/** `choose` is called on a tap or by the keyboard; `write` gets the events of a press that is no tap. */
export function onTap(button, write, choose) {
  let press = []; // the events of one that may still be a tap
  let isWriting = false;
  button.addEventListener('pointerdown', (event) => {
    button.setPointerCapture(event.pointerId); // a quick mouse is off the button at its first move
    press = [event];
    isWriting = false;
  });
  button.addEventListener('pointermove', (event) => {
    const [first] = press;
    if (event.pointerId !== first?.pointerId) return;
    press.push(event);
    if (Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) <= TAP_PX) return;
    isWriting = true;
    write(press);
    press = [];
  });
  for (const name of ['pointerup', 'pointercancel']) button.addEventListener(name, () => { press = []; });
  // Browsers forgive taps more pixels than we do; the keyboard's clicks have no detail.
  button.addEventListener('click', ({ detail }) => { if (!isWriting || !detail) choose(); });
}

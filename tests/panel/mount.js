// Streamlit's part: a place by its name, its data, and the messages of the session.
async ([module, name, data]) => {
  const component = await import(module);
  const places = (window.places ??= {}), asked = (window.asked ??= []);
  if (!places[name]) {
    places[name] = component.place();
    places[name].box = document.body.appendChild(document.createElement("div"));
  }
  const setStateValue = (_, question) => asked.push({ place: name, ...question });
  component.mount({ parentElement: places[name].box, data, setStateValue }, places[name]);
}

// Makes a flame graph answer: click to zoom, search, details under the pointer. Everything it needs
// stands in the picture: a frame's data-x and data-w are where it begins and how wide it is, in the
// metric; data-d is its depth; its title begins with the function's name.
(function () {
  "use strict";
  var svg = document.currentScript ? document.currentScript.closest("svg") : document.querySelector("svg");
  var width = +svg.dataset.width, margin = +svg.dataset.margin, character = +svg.dataset.character;
  var details = svg.querySelector("#details"), matched = svg.querySelector("#matched");
  var searchButton = svg.querySelector("#search"), resetButton = svg.querySelector("#reset");
  var pattern = null;

  // In the order of the file, which is depth-first.
  var frames = Array.prototype.map.call(svg.querySelectorAll("g.f"), function (g) {
    var title = g.querySelector("title").textContent;
    return {
      g: g, rect: g.querySelector("rect"), text: g.querySelector("text"), title: title,
      name: title.split("\n")[0], x: +g.dataset.x, w: +g.dataset.w, d: +g.dataset.d
    };
  });
  if (frames.length === 0)
    return;
  var root = frames[0], shown = root;

  function fitted(name, room) {
    var count = Math.floor((room - 6) / character);
    var letters = Array.from(name);
    if (letters.length <= count)
      return name;
    return count < 3 ? "" : letters.slice(0, count - 2).join("") + "..";
  }

  function place(frame, x, w) {
    frame.g.style.display = w < 0.1 ? "none" : "";
    frame.rect.setAttribute("x", x);
    frame.rect.setAttribute("width", Math.max(w, 0));
    frame.text.setAttribute("x", x + 3);
    frame.text.textContent = fitted(frame.name, w);
  }

  function zoom(target) {
    var end = target.x + target.w;
    shown = target;
    frames.forEach(function (frame) {
      var around = frame.d <= target.d && frame.x <= target.x && frame.x + frame.w >= end;
      var within = frame.d > target.d && frame.x >= target.x && frame.x + frame.w <= end;
      frame.g.classList.toggle("above", around && frame !== target);
      if (around)
        place(frame, margin, width);
      else
        place(frame, margin + (frame.x - target.x) / target.w * width, within ? frame.w / target.w * width : 0);
    });
    resetButton.style.display = target === root ? "none" : "";
  }

  // What matches, each part counted once: a frame within a match is in it already.
  function mark() {
    var sum = 0, until = -1;
    frames.forEach(function (frame) {
      var hit = pattern !== null && pattern.test(frame.name);
      frame.g.classList.toggle("match", hit);
      if (hit && frame.x >= until) {
        sum += frame.w;
        until = frame.x + frame.w;
      }
    });
    matched.textContent = pattern === null ? "" : "Matched: " + (100 * sum / root.w).toFixed(2) + "%";
    searchButton.textContent = pattern === null ? "Search" : "Clear search";
  }

  function search() {
    if (pattern !== null) {
      pattern = null;
    } else {
      var wanted = prompt("Functions to mark (a regular expression):", "");
      if (!wanted)
        return;
      try {
        pattern = new RegExp(wanted);
      } catch (problem) {
        alert(problem.message);
        return;
      }
    }
    mark();
  }

  frames.forEach(function (frame) {
    frame.g.addEventListener("click", function () { zoom(frame); });
    frame.g.addEventListener("mouseover", function () {
      details.textContent = frame.title.split("\n").slice(0, 3).join("  |  ");
    });
    frame.g.addEventListener("mouseout", function () { details.textContent = " "; });
  });
  searchButton.addEventListener("click", search);
  resetButton.addEventListener("click", function () { zoom(root); });
  window.addEventListener("keydown", function (event) {
    if (event.key === "/" || (event.key === "f" && event.ctrlKey)) {
      event.preventDefault();
      search();
    } else if (event.key === "Escape" && shown !== root) {
      zoom(root);
    }
  });
  searchButton.style.display = "";
})();

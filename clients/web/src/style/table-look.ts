// How a table looks, wherever one is shown; the order counts.
import "./table.css";
import "./cards.css";
import "./map.css";
import "./choosing.css";
import "./narrow.css";

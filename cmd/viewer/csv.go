package main

import (
	"bufio"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
	"io"
	"math"
	"strconv"
)

// writePlot writes the file of -plot, once physics has ended.
func (v *viewer) writePlot(rate float64) error {
	if v.o.Plot == "" {
		return nil
	}
	rows := v.Stage.Player.Samples.Logged
	return outfile.Replace(v.o.Plot, func(w io.Writer) error { return writeCSV(w, rate, rows) })
}

// exportPlot writes all values of the chosen body to a new file.
func (v *viewer) exportPlot() {
	var rows []play.LoggedSample
	from, to := v.Sampler.PlotSpan()
	for tick := from; tick <= to; tick++ {
		row := play.LoggedSample{Tick: tick}
		noted := false
		for i := range play.Plotted {
			x, ok := v.Sampler.Sampled(tick, i)
			if row.Values[i] = x; !ok {
				row.Values[i] = math.NaN()
			}
			noted = noted || ok
		}
		if noted {
			rows = append(rows, row)
		}
	}
	path, err := outfile.Free("halfstep-%03d.csv", "tables")
	if err != nil {
		v.picture.Say(err.Error())
		return
	}
	rate := v.Stage.Player.Rate().Float()
	v.Files.Wg.Add(1)
	go func() {
		defer v.Files.Wg.Done()
		v.Files.Wrote(path, outfile.Replace(path, func(w io.Writer) error { return writeCSV(w, rate, rows) }))
	}()
}

// csvHeader has the names of the columns: tick and time, and those of plotted.
const csvHeader = "tick,time_s,x,y,speed,angle,energy,joint_force,joint_angle,energy_of_all\n"

// writeCSV writes rows of values. rate is in steps per second. A value that is not known is left empty.
func writeCSV(to io.Writer, rate float64, rows []play.LoggedSample) error {
	w := bufio.NewWriter(to)
	w.WriteString(csvHeader)
	for i := range rows {
		b := strconv.AppendUint(nil, rows[i].Tick, 10)
		b = strconv.AppendFloat(append(b, ','), float64(rows[i].Tick)/rate, 'g', -1, 64)
		for _, x := range rows[i].Values {
			if b = append(b, ','); x == x {
				b = strconv.AppendFloat(b, x, 'g', -1, 64)
			}
		}
		w.Write(append(b, '\n'))
	}
	return w.Flush()
}
